/**
 * TLS without a proxy. {@link org.microhttp.extras.tls.TlsServer} is a server with it, in one call: {@code
 * InnerServers} answer
 * requests, and before them is a front. The front is a thread, {@code FrontLoop}, which has {@code Buffers},
 * and a {@code TlsConnection} for each client. That writes to two of {@code Outlet}, is counted in a
 * {@code Sum}, and tells the server of the client by {@code ProxyHeaders}. {@link
 * org.microhttp.extras.tls.TlsSettings} says where
 * the certificates are, {@code PemFile} reads them, and {@code Certificates} has them read again when they
 * change. {@code FrontLog} learns from the server's log whether an answer was complete when the connection
 * ends.
 */
package org.microhttp.extras.tls;
