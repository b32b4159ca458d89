/**
 * An access log that any server may take; {@link org.microhttp.extras.accesslog.AccessLogger} is where to
 * begin. The tool
 * {@code AccessLog} shows it.
 * <ul>
 * <li>from event to line: {@code AccessLogger} takes the events, {@code LineWriter} has the queue and the
 *     thread, {@code LogFile} the file; {@code AccessRecord} is an exchange, {@code AccessFormat} its
 *     line</li>
 * <li>who asked: {@code Trust} finds the client behind proxies, by what {@code Forwarded} reads, with
 *     {@code Address} and {@code Network}</li>
 * </ul>
 * To copy it take all but {@code LogFlags}, by which a tool has such a log; nothing else here uses another
 * package of the examples.
 */
package org.microhttp.extras.accesslog;
