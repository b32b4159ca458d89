/**
 * A server behind nginx and HAProxy, where these are installed: they agree on what the requests are, and no
 * request is lost when servers behind them are restarted. Start with {@code
 * ProxyDifferentialTest}. In {@code UnixSocketProgramsTest} curl and systemd are at a server's Unix domain
 * socket.
 */
package org.microhttp.checks.proxies;
