/**
 * TLS without a proxy. {@link tls.TlsServer} is a server with it, in one call; {@link tls.TlsFront} is what
 * it puts before the server, and {@code FrontLoop} its thread, which has a {@code TlsConnection} for each
 * client. {@link tls.TlsSettings} says where the certificates are, {@code PemFile} reads them, and {@code
 * Certificates} reads them again when they change. {@code ExchangeEnds} learns from the server's log whether
 * an answer was complete when the connection ends.
 */
package tls;
