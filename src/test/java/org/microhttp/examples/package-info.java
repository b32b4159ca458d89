/**
 * The programs of the folder {@code examples}, run as a user runs them, each in a process of its own by
 * {@code ExampleProcess}. Start with {@code ExamplesTest}. What {@code ResponseServer} answers, prints, and
 * takes for flags has a class for each.
 */
package org.microhttp.examples;
