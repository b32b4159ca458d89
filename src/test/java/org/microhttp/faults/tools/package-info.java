/**
 * Clients in numbers, and servers for processes of their own, for tests and programs of faults.
 * {@code ManyClients} sends on thousands of connections, {@code Probe} is the one client among them whose
 * time counts. {@code HostilePrefixes} generates what hostile clients send before they stop.
 */
package org.microhttp.faults.tools;
