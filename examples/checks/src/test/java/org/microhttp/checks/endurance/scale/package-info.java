/**
 * What a loop costs with up to a million connections, without a socket: {@code Scale} lives a
 * {@code Lifespan} of a server for each number of connections, once with the library and once with a
 * {@code BareServer} that does the same with the same channels and has no HTTP. What the one costs more than
 * the other is the library's.
 */
package org.microhttp.checks.endurance.scale;
