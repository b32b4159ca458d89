/**
 * The programs of the folder {@code examples}, run as a user runs them, each in a process of its own by
 * {@code ExampleProcess}. Start with {@code ExamplesTest}. What {@code ResponseServer} answers, prints, and
 * takes for flags has a class for each; so have classes of {@code AccessLog} that are there to be copied, and
 * those of the package {@code representation}, which are called directly: of its {@code Outcome} the four
 * tests of that name. The tests that begin with {@code WebSocket} have the package {@code websocket}, from
 * bytes to clients. {@code OriginalProgramsTest} and {@code OriginalPlatformsTest} have no program of the
 * folder: they are what was written for the original, in short. The tests of names with
 * {@code Jdk} call the provider of the JDK's API.
 */
package org.microhttp.examples;
