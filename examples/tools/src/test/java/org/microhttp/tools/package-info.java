/**
 * The tools, run as a user runs them, each in a process of its own by {@code ServerProcess}. What
 * {@code ResponseServer} answers, prints, and takes for flags has a class for each.
 */
package org.microhttp.tools;
