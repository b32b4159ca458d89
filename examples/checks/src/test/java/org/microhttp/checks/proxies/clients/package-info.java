/**
 * Real clients of streamed bodies. {@link org.microhttp.checks.proxies.clients.RealClients} is the program.
 * {@code
 * Downloads} has {@code StreamClient} get the bodies of {@code PieceServer}; {@code Uploads} has {@code
 * UploadClient} send {@code UploadContent} to {@code UploadServer}. {@code DevTools} drives a browser.
 */
package org.microhttp.checks.proxies.clients;
