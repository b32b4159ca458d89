/**
 * Everything at once, for as long as it is told. {@code Chaos} lets one server after the other live;
 * {@code ChaosLife} is one of them, from its constructor to the end, with a hundred {@code ChaosClient}s,
 * whose manners are in {@code ChaosManner}, and a {@code ChaosHandler}, whose answers are in
 * {@code ChaosAnswer}. {@code ChaosVerdict} judges what a client got, {@code ChaosWatch} looks whether
 * limits are kept, {@code ChaosEnd} what is not free at the end, and {@code ChaosLedger} counts it all.
 * Start with {@code ChaosLife}.
 */
package org.microhttp.faults.chaos;
