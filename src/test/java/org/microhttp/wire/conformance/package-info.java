/**
 * The cases of conformance.json, played against a server that echoes. {@code ConformanceCase} is a script
 * and the rules that judge it, {@code ConformanceClient} plays it on a connection of its own,
 * {@code ConformanceRules} judges what came back. Start with {@code ConformanceTest};
 * {@code JdkHandlerConformanceTest} has a handler of the JDK's API.
 */
package org.microhttp.wire.conformance;
