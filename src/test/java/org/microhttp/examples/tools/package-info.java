/**
 * What only tests of the examples need: the processes of a test that run {@code ResponseServer}, and end
 * with it.
 */
package org.microhttp.examples.tools;
