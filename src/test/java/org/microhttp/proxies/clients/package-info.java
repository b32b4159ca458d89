/**
 * Real clients of streamed bodies. {@link org.microhttp.proxies.clients.FullClients} is the program; {@code
 * PieceServer} has the bodies, {@code StreamClient} is one of the clients.
 */
package org.microhttp.proxies.clients;
