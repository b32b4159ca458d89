/**
 * A drop-in for the HTTP server of the JDK: programs that use {@code com.sun.net.httpserver} run on this
 * library, unchanged, when this module, extras and the library are on their class path. The {@code
 * README.md} of the module says what changes.
 * <ul>
 * <li>{@link org.microhttp.httpserver.MicrohttpProvider} makes servers: {@code PlainServer}, and {@code
 *     SecureServer} with {@code Engines} of TLS. {@code Serving} does the work of both, from {@code bind} to
 *     {@code stop}; {@code Settings} sets its options by system properties</li>
 * <li>{@code Contexts} and {@code Context} say which handler a path has</li>
 * <li>{@code Dispatcher} makes an {@code Exchange} of each request, and starts it on a thread of {@code
 *     HandlerThreads}, or of the program's executor; with TLS, handlers see a {@code SecureExchange}</li>
 * <li>{@code RequestHeaders}, {@code RequestStream} and {@code ResponseStream} are what a handler sees of an
 *     exchange; {@code Answer} passes its response to the library, and {@code Outgoing} a body that is too
 *     large to be kept</li>
 * <li>{@link org.microhttp.httpserver.HttpServer} is a program to try it</li>
 * </ul>
 * <b>Large bodies</b> are those above 64 KiB or in chunks. {@code getRequestBody()} gives their bytes as
 * they arrive, and reads at most 512 KiB ahead. The first read, or {@code available()}, sends {@code 100}
 * (RFC 9110 §10.1.1). {@code available()} before the first read waits at most half a second for bytes,
 * unless the client waits for {@code 100}. Until the request's body is read, {@code flush()} sends
 * nothing, and up to 1 MiB or 32 flushed parts of the response wait.
 * <p>
 * The server reads the rest of the request's body when more is written, when a stream or the exchange is
 * closed, or when {@code sendResponseHeaders} gives a response without a body. The rest must have at most
 * 64 KiB ({@code drainAmount}) and arrive within half a second, and the client must not wait for {@code
 * 100}. Otherwise reading fails, and the response, sent whole, ends the connection. After a close, or a
 * response without a body, reading fails in any case.
 * <p>
 * <b>Writing</b> waits for a slow client: at most 416 KiB of a response are in memory, or 1.3 MiB if it
 * begins before the request's body is read. Once that body is read, a {@code write} of a whole body of
 * known length (32 KiB or more) returns when the response is sent or the client is gone; an interrupt does
 * not end the wait.
 * <p>
 * <b>Threads.</b> Two threads use an exchange: its handler's, which may block, and the loop's, which may
 * not. They meet in {@code RequestStream}, {@code Answer} and {@code Outgoing}.
 */
package org.microhttp.httpserver;
