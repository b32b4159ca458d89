/**
 * The servers that the scripts put load on, each a program that takes a port first:
 *
 * <ul>
 * <li>{@link org.microhttp.load.ThroughputServer}: microhttp, answering at once, by another thread, or with a
 *     large body
 * <li>{@link org.microhttp.load.JdkServer}: the JDK's server, or another provider of it
 * <li>{@link org.microhttp.load.Floor}: what a selector, a read and a write cost without HTTP
 * <li>{@link org.microhttp.load.StreamServer}: microhttp with streams, and {@link
 *     org.microhttp.load.BareServer}, their floor
 * </ul>
 */
package org.microhttp.load;
