/**
 * TLS without a proxy. {@link org.microhttp.extras.tls.TlsServer} is an HTTPS server in one call; {@link
 * org.microhttp.extras.tls.TlsSettings} says where the certificates are.
 * <pre>{@code
 * import java.nio.file.Path;
 * import org.microhttp.*;
 * import org.microhttp.extras.tls.*;
 *
 * public class Secure {
 *     public static void main(String[] args) throws Exception {
 *         TlsSettings tls = TlsSettings.ofPem(Path.of("certificate.pem"), Path.of("key.pem"));
 *         Handler handler = Handler.of(request -> Response.text(200, "hello\n"));
 *         Options options = new Options().withPort(8443);
 *         try (var server = new TlsServer(options, new SystemLogger(), handler, tls)) {
 *             server.start();
 *         }
 *     }
 * }
 * }</pre>
 * <b>Limits.</b> TLS 1.2 and 1.3 with the ciphers of the JDK. By default 1,000 connections, and 10 s for a
 * handshake. The server has a loop for each processor and two more threads, and three descriptors for each
 * connection. Changed certificates are read again when a client connects, at most once a second; files with
 * an error are not used. Each host may have its own certificate (SNI). No HTTP/2, no revocation checks.
 * <p>
 * <b>Refused.</b> A client that offers protocols (ALPN), but neither HTTP/1.1 nor HTTP/1.0; renegotiation;
 * encrypted keys; options for a Unix domain socket, a listener or the PROXY protocol. The locale must be
 * UTF-8. Where the system has no Unix domain sockets, any program on this machine can claim to be any client:
 * see {@code TlsServer}.
 * <p>
 * <b>Inside.</b> {@code InnerServers} answer requests. The front passes clients' bytes to them: its thread,
 * {@code FrontLoop}, has {@code Buffers}, and a {@code TlsConnection} for each client. A connection writes to
 * two {@code Outlet}s, counts its bytes in a {@code Sum}, and sends the client's address to the server by
 * {@code ProxyHeaders}. {@code Certificates} reads {@code KeyFiles}, again when they change; {@code PemFile}
 * reads one file. {@code NamedKeys} chooses a {@code NamedKey} for a client. {@code FrontLog} learns from the
 * server whether the last answer was complete when a connection ends.
 */
package org.microhttp.extras.tls;
