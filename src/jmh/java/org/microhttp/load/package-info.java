/**
 * Programs that put load on a server, and the servers they put it on. {@link org.microhttp.load.Client} is
 * the load: start there, then {@code ClientLoop}, which has all connections of a process. {@link
 * org.microhttp.load.PlainClient} has one connection, and checks answers.
 *
 * <ul>
 * <li>{@link org.microhttp.load.ThroughputServer}: microhttp, answering at once or later, by another thread,
 *     or with a large body
 * <li>{@link org.microhttp.load.JdkServer}: the JDK's own server
 * <li>{@link org.microhttp.load.Floor}: what a selector, a read and a write cost without HTTP
 * </ul>
 *
 * <p>Each prints {@code listening on ADDRESS:PORT} when it is ready, and runs until it is killed.
 */
package org.microhttp.load;
