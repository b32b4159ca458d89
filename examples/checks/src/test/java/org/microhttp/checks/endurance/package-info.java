/**
 * One program that has everything go wrong, in three shapes, with one client that checks every answer,
 * {@code SteadyClient}, and one {@code Report} of what was asked, what failed, and which promises were
 * broken. Start with {@code Chaos}.
 * <ul>
 * <li>Everything at once: {@code Chaos} lets one server after the other live, in this JVM. {@code ChaosLife}
 *     is one of them, with a hundred {@code ChaosClient}s, whose manners are in {@code ChaosManner}, and a
 *     {@code ChaosHandler}, whose answers are in {@code ChaosAnswer}. {@code ChaosVerdict} judges what a
 *     client got, {@code ChaosWatch} looks whether limits are kept, and {@code ChaosEnd} what is not free at
 *     the end.
 * <li>Each fault beside the client: {@code FaultTable} tries each {@code Fault} in a {@code FaultTrial}.
 *     {@code FaultLoad} is the program that puts one on a {@code TestedServer}, {@code Namespace} and
 *     {@code BadNetwork} are for faults of the network.
 * <li>An hour of everything: {@code Soak} has a {@code TestedServer} with faults, and {@code EdgePair}s
 *     of servers behind proxies that are restarted. {@code SoakClients} lists the programs that ask, and a
 *     {@code Load} stops them for the moment in which a {@code SoakRow} is taken.
 * </ul>
 */
package org.microhttp.checks.endurance;
