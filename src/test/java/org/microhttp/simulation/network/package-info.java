/**
 * A machine in memory: {@code Machine} has the clock, the ports, and what is going to happen;
 * {@code SimulatedProvider} makes the selectors and channels that a server opens on it. {@code Peer} is the
 * other side of a connection, with the kernel's buffers, to be written by who simulates; {@code Witness} is
 * told of every call, and may have it fail. {@code Baton} says which thread runs, {@code Outsider} is one
 * that only waits.
 */
package org.microhttp.simulation.network;
