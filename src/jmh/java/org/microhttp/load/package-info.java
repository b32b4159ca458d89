/**
 * Programs that put load on a server, and the servers they put it on. {@link org.microhttp.load.Client} is
 * the load: start there, then {@code ClientLoop}, which has all connections of a process.
 *
 * <ul>
 * <li>{@link org.microhttp.load.ThroughputServer}: microhttp, answering at once
 * <li>{@link org.microhttp.load.ConcurrencyServer}: microhttp, answering later, for very many connections
 * <li>{@link org.microhttp.load.BodyServer}: microhttp, with a large body of one kind or another
 * <li>{@link org.microhttp.load.JdkServer}: the JDK's own server
 * <li>{@link org.microhttp.load.Floor}: what a selector, a read and a write cost without HTTP
 * </ul>
 *
 * <p>Each prints {@code listening on ADDRESS:PORT} when it is ready, and runs until it is killed.
 */
package org.microhttp.load;
