/**
 * TLS without a proxy. {@link org.microhttp.extras.tls.TlsServer} is a server with it, in one call; {@link
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
 * <b>Limits.</b> TLS 1.2 and 1.3 with the ciphers of the JDK; 1,000 connections unless the options say
 * otherwise, and 10 s for a handshake unless the settings do. A loop for each processor and two more threads,
 * three descriptors for each connection. Files that change are read again within a second; wrong ones are not
 * used. A certificate for each host (SNI). No HTTP/2, no revocation.
 * <p>
 * <b>Refused.</b> A client that offers protocols (ALPN) without HTTP/1.1 and HTTP/1.0, renegotiation, keys
 * that are encrypted, and options of a Unix domain socket, a listener or the PROXY protocol. The locale must
 * be UTF-8. Where the system has no Unix domain sockets, any program of this machine can claim to be any
 * client: see {@code TlsServer}.
 * <p>
 * <b>Inside</b> {@code InnerServers} answer requests, and before them is a front. The front is a thread,
 * {@code FrontLoop}, which has {@code Buffers}, and a {@code TlsConnection} for each client. That writes to
 * two of {@code Outlet}, is counted in a {@code Sum}, and tells the server of the client by {@code
 * ProxyHeaders}. {@code Certificates} reads {@code KeyFiles}, and again when they change; a {@code PemFile}
 * is one of these. {@code NamedKeys} chooses a {@code NamedKey} for a client. {@code FrontLog} learns from
 * the server whether an answer was complete when the connection ends.
 */
package org.microhttp.extras.tls;
