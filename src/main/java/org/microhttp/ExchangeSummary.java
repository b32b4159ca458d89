package org.microhttp;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * A request and its response, when both are over, for access logs and metrics. It goes to the listener of
 * {@link Options#withExchangeListener}. What a client has sent is not escaped.
 *
 * @param connection the number of the connection, which events have as {@code id}
 * @param client     the address of the client, or of the proxy in between; without a name at a Unix domain
 *                   socket
 * @param method     the method, as sent; null, like target and version, if the request line had not come
 *                   completely, breaks its grammar, or no buffer was left
 * @param target     the target, as sent
 * @param version    the version, as sent
 * @param headers    the headers of the request, parsed when first used; empty if they were refused, had not
 *                   come completely, or no buffer was left. Keeping the list keeps the whole header section
 * @param status     of the response; 0 if the connection ended before its head was sent
 * @param bytes      how many bytes of the response's body the socket took, without chunk framing
 * @param duration   from when the server began to read the request, after those before it, until the socket
 *                   took the last byte of the response, or the connection ended
 * @param complete   whether the whole response was sent
 * @param code       the code, if the server itself has responded; else null
 */
public record ExchangeSummary(long connection, SocketAddress client, String method, String target,
        String version, List<Header> headers, int status, long bytes, Duration duration, boolean complete,
        String code) { }
