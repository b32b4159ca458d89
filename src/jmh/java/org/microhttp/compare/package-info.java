/**
 * Compares servers on one machine. {@link org.microhttp.compare.Compare} is the program. {@code Plan} says
 * which servers are measured in which cases, how often and how long, and {@code Runner} does it: it starts
 * each server on CPUs of its own, checks its answers, warms it up, and writes a line for each round.
 *
 * <p>A {@link org.microhttp.compare.Comparison} is the description of one: its servers and its cases. There
 * are three, in packages of their own: {@code servers}, {@code files} and {@code archives}.
 */
package org.microhttp.compare;
