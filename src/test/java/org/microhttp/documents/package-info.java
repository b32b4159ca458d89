/**
 * What a user has of the library is what was meant. {@code ApiTest}: the API is that of the last release, but
 * for the changes. {@code InsideTest}: the picture of the classes. {@code JarTest}: the jar is small, and
 * needs
 * nothing. {@code ClosedWorldTest}: nothing is found by its name.
 */
package org.microhttp.documents;
