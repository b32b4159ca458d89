/**
 * A drop-in for the HTTP server of the JDK: programs that use {@code com.sun.net.httpserver} run on this
 * library, unchanged, when this module, extras and the library are on their class path. {@code README.md}
 * beside it says what changes.
 * <ul>
 * <li>{@link org.microhttp.httpserver.MicrohttpProvider} makes servers, {@code PlainServer} is one, and
 *     {@code Serving}
 *     does its work: from {@code bind} to {@code stop}; {@code Settings} sets its options by system
 *     properties</li>
 * <li>{@code Contexts} and {@code Context} say who handles a path</li>
 * <li>{@code Dispatcher} makes an {@code Exchange} of each request, and starts it on a thread of {@code
 *     HandlerThreads}, or of the program's executor</li>
 * <li>{@code RequestHeaders}, {@code RequestStream} and {@code ResponseStream} are what a handler sees of an
 *     exchange; {@code Answer} takes what it responds to the library, and {@code Outgoing} a body that is too
 *     large to be kept</li>
 * <li>{@link org.microhttp.httpserver.HttpServer} is a program to try it</li>
 * </ul>
 * Two threads know an exchange: that of its handler, which may block, and that of the loop, which may not.
 * They meet in {@code RequestStream}, {@code Answer} and {@code Outgoing}. It needs the library and the JDK
 * alone.
 */
package org.microhttp.httpserver;
