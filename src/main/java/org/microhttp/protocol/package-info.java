/**
 * HTTP/1.1 without sockets, threads, clocks or logs: received bytes become requests, or the reason for a
 * refusal (RFC 9110, RFC 9112). The package uses no class of the server, and is not exported.
 * <pre>{@code
 *   var limits = new RequestParser.Limits(1 << 20, 8192, 100, false, new Budget(Budget.NO_LIMIT));
 *   var parser = new RequestParser(limits, client);
 *   parser.receive(received, scratch);
 *   for (RequestHead head; (head = parser.next()) != null || parser.isHeld(); ) {
 *       if (head == null) {
 *           parser.keepBody();
 *       } else {
 *           handle(head, parser.takeBody());
 *       }
 *   }
 *   parser.keep(scratch);
 * }</pre>
 * If {@code next} returns null and {@code isHeld} is true, a head is complete, and the caller chooses by
 * {@code keepBody} or {@code streamBody} whether the body is kept until it is whole, or comes in parts. A
 * call may throw a {@code RefusalException}: the caller responds with the status and the code of the refusal,
 * and closes the connection.
 *
 * <h2>Reading the source</h2>
 * Read it in this order:
 * <ol>
 * <li>{@code RequestParser} reads one element after another; it has a diagram of its states.
 *     {@code RequestHead} is the request line and the fields. {@code ByteQueue} holds the bytes, and finds
 *     the ends of lines. {@code Budget} limits the bytes that all parsers keep.
 * <li>{@code RequestFraming} decides where the body ends and whether the connection persists.
 * <li>{@code Syntax} has the classes of characters, {@code ListReader} the grammar of lists,
 *     {@code RequestTarget} the grammars of targets and authorities, {@code IpAddress} the grammar of
 *     addresses.
 * <li>{@code Refusal} lists every reason to refuse a request; a {@code RefusalException} carries the reason
 *     to the caller.
 * <li>{@code ProxyHeader} reads a client's address from a PROXY header; {@code TrustedNetwork} says whether
 *     an address is in a network.
 * </ol>
 * Which method to read first:
 * <ul>
 * <li>bytes to a request: {@code RequestParser.next}, then {@code advance} and {@code readLine}
 * <li>refused, and why: {@code Refusal.refuseIf}; to find the check of a code, search for the code in
 *     capitals
 * <li>a chunked body: {@code RequestParser.beginChunk}, then {@code readBlock} and {@code readChunkEnd}; the
 *     line of a chunk is in {@code RequestFraming.parseChunkSize}
 * <li>limits: {@code RequestParser.readLine} for lines and sections, {@code beginBlock} for bodies,
 *     {@code readField} for the number of fields, {@code keep} for the memory of all parsers
 * </ul>
 */
package org.microhttp.protocol;
