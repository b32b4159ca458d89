/**
 * What only tests of the examples need: {@code ResponseServerProcesses} run a tool, and end with the test;
 * {@code LogReaders} run GoAccess and lnav on a log.
 */
package org.microhttp.examples.tools;
