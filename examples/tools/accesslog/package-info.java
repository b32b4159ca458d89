/**
 * The tool {@code AccessLog}, and the logger in it that any server may take: {@link accesslog.AccessLogger}
 * is where to begin.
 * <ul>
 * <li>from event to line: {@code AccessLogger} takes the events, {@code LineWriter} has the queue and the
 *     thread, {@code LogFile} the file; {@code AccessRecord} is an exchange, {@code AccessFormat} its
 *     line</li>
 * <li>who asked: {@code Trust} finds the client behind proxies, by what {@code Forwarded} reads, with
 *     {@code Address} and {@code Network}</li>
 * <li>{@code goaccess.conf} and {@code lnav.json} tell these programs what is in a line of JSON</li>
 * </ul>
 * To copy it take all but {@code AccessLog} and {@code LogFlags}, by which a tool has such a log; nothing
 * else here uses the package {@link shared}.
 */
package accesslog;
