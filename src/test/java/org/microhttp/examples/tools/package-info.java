/**
 * What only tests of the examples need: {@code ResponseServerProcesses} run a tool, and end with the test;
 * {@code LogReaders} run GoAccess and lnav on a log; {@code Representations} are resources, and requests for
 * them; a {@code CompressedSite} is compressed, a {@code FileSite} is served, and
 * {@code ManyFiles} are both.
 */
package org.microhttp.examples.tools;
