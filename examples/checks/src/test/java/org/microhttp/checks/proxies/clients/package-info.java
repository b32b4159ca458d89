/**
 * Real clients of streamed bodies: {@code RealClients} runs them. {@code Downloads} has {@code StreamClient}
 * get the bodies of {@code PieceServer}; {@code Uploads} has {@code UploadClient} send {@code UploadContent}
 * to {@code UploadServer}.
 */
package org.microhttp.checks.proxies.clients;
