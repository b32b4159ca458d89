/**
 * One fault after the other, then all at once, beside a client that does all right: what it sees of them.
 * {@code Fault} lists them, {@code FaultTrial} measures one, {@code BadNetwork} is the network that loses and
 * delays packets. {@code FaultBesideTest} runs most in short, {@code FullFaults} all, and prints the table.
 */
package org.microhttp.faults.suite;
