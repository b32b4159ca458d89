/**
 * Servers that run for long, under the load of programs that people have: {@code WatchedServer} is never
 * restarted, and has faults; {@code EdgePair} is two servers behind a proxy, which are. {@code SoakLoad} runs
 * the clients, which {@code SoakClients} lists, and stops them for the moment in which a {@code SoakRow} is
 * taken. {@code FullSoak} is the program.
 */
package org.microhttp.faults.soak;
