/**
 * One program that has a server endure something for minutes, in many modes: {@code Endurance}, which
 * {@code examples/checks/full} runs. The modes have in common:
 * <ul>
 * <li>{@code Report}: what was asked, what failed, which promises were broken, and the verdict.
 * <li>{@code TestedServer}: a server in a process of its own. {@code Usage} is what one has in use.
 * <li>{@code SteadyClient}: does all right, and checks every answer. {@code Load} has clients ask in rounds,
 *     and stops them for the moment in which {@code Usage} is taken.
 * <li>{@code Fault}: what goes wrong beside it; {@code FaultLoad} puts it on a server, {@code Namespace} and
 *     {@code BadNetwork} are for faults of the network.
 * </ul>
 * The modes that are more than one class:
 * <ul>
 * <li>{@code Chaos} lets one server after the other live, in this JVM. {@code ChaosLife} is one of them, with
 *     {@code ChaosClient}s, faults, and a {@code ChaosHandler}, whose answers are in {@code ChaosAnswer}.
 * <li>{@code FaultTable} tries each fault in a {@code FaultTrial}, which gives a {@code FaultRow} with {@code
 *     Times}.
 * <li>{@code Soak} has {@code SoakClients}, faults, and {@code EdgePair}s of servers behind proxies.
 * <li>{@code scale}: many simulated connections.
 * </ul>
 */
package org.microhttp.checks.endurance;
