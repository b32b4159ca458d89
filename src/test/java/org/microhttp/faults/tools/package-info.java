/**
 * The server of tests and programs of faults, {@code FaultServer}, and clients that do not wait:
 * {@code Visitor}, and {@code ManyClients} on thousands of connections. {@code HostilePrefixes} generates
 * what hostile clients send before they stop.
 */
package org.microhttp.faults.tools;
