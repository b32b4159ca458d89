/**
 * WebSockets (RFC 6455) on connections that the server has handed over; a package to copy, which needs the
 * library alone. A handler answers with a {@link org.microhttp.extras.websocket.WebSocket}, and a
 * {@link org.microhttp.extras.websocket.WebSocketListener} gets its messages:
 * <pre>{@code
 *   var options = new WebSocketOptions();
 *   var echo = new WebSocketListener() {
 *       public void onText(WebSocket socket, String text) {
 *           socket.sendText(text);
 *       }
 *   };
 *   Handler handler = (request, callback) -> callback.accept(WebSocket.upgrade(request, options, echo));
 *   new EventLoop(new Options().withStreamTimeout(Duration.ofMinutes(2)), handler).start();
 * }</pre>
 * Read {@code WebSocketOptions} for its limits, {@code WebSocketMessage} and {@code WebSocketGroup} to send
 * one message to many. Inside:
 * <pre>
 *   request --> Handshake --> the 101, or a refusal
 *   bytes ----> FrameReceiver --> FrameReader --> Frame --> WebSocketListener
 *   bytes &lt;---- FrameQueue &lt;---- Frame &lt;---- WebSocket, FrameReceiver, IdleWatch
 *
 *   FrameReader, FrameQueue --> Share --> SharedMemory --> Share --> FrameReceiver
 * </pre>
 * A {@code Handshake} is one request; a {@code FrameReceiver} gets what its client sends from then on, and a
 * {@code FrameQueue} has what waits for it. {@code FrameReader} is the protocol without I/O: bytes to a
 * {@code Frame}, whose content {@code Utf8Check} and {@code CloseStatus} check, or to a
 * {@code ConnectionFailure}. What reader and queue keep counts as the {@code Share} of the connection in a
 * {@code SharedMemory}, which gives up a connection when it is too much for all. All that is received is on
 * the thread of the connection's loop; {@code FrameQueue} and {@code Share} are where other threads come in,
 * and {@code IdleWatch} is the one thread of its own. There are no extensions, and so no compression.
 */
package org.microhttp.extras.websocket;
