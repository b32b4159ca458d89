/**
 * What is written beside the code is true: programs and commands of the documents run, tables name what
 * there is, promises have tests, links lead somewhere. The public API is that of the last release, but for
 * what the changes tell of. The source is as small as is claimed, the scripts run, and the jar holds the
 * library alone. {@code Readme} reads documents and sources. Start with
 * {@code ReadmeTest}.
 */
package org.microhttp.documents;
