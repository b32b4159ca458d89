/**
 * WebSockets (RFC 6455) on connections that a handler has upgraded with {@link
 * org.microhttp.extras.websocket.WebSocket}; a {@link org.microhttp.extras.websocket.WebSocketListener}
 * gets the messages:
 * <pre>{@code
 * import java.time.Duration;
 * import org.microhttp.*;
 * import org.microhttp.extras.websocket.*;
 *
 * public class Echo implements WebSocketListener {
 *     public static void main(String[] args) throws Exception {
 *         var sockets = new WebSocketOptions();
 *         Handler handler = Handler.of(request -> WebSocket.upgrade(request, sockets, new Echo()));
 *         var options = new Options().withStreamTimeout(Duration.ofMinutes(2))
 *                 .withOnStopping(sockets::closeAll);
 *         new EventLoop(options, handler).start();
 *     }
 *     public void onText(WebSocket socket, String text) {
 *         socket.sendText(text);
 *     } }
 * }</pre>
 * Here a graceful stop of the server closes the connections.
 * {@link org.microhttp.extras.websocket.WebSocketMessage} and {@link
 * org.microhttp.extras.websocket.WebSocketGroup} send one message to many clients.
 * <p>
 * <b>Limits</b> are set by {@link org.microhttp.extras.websocket.WebSocketOptions}. The defaults: a message
 * of 1 MiB, 1 MiB waiting for a client, a quarter of the heap for all connections, a minute to receive a
 * message, a ping after 25 s of silence. At most 16 pongs wait. Messages are kept whole in memory. The
 * streamTimeout of the server must be longer than the ping interval.
 * <p>
 * <b>Compression</b> (permessage-deflate, RFC 7692) is off by default: it takes CPU time of the loop, and can
 * betray a secret that is in one message with another person's text. Where messages are large, {@link
 * org.microhttp.extras.websocket.WebSocketOptions#withCompression} turns compression on for clients that
 * offer it. Each message is compressed separately, so idle connections need no memory for compression. The
 * limits count inflated bytes, and are checked during inflation.
 * <p>
 * <b>Refused.</b> A request that is no handshake gets a 400, 405 or 426, pages of another origin a 403. A
 * client that breaks a rule gets a Close frame: 1002 protocol error, 1007 text that is not UTF-8, 1008 too
 * slow, 1009 message too large, 1013 too much memory in use.
 * <p>
 * Inside:
 * <pre>
 *   request --> Handshake --> the 101, or a refusal
 *   bytes ----> FrameReceiver --> FrameReader --> Frame --> WebSocketListener
 *   bytes &lt;---- FrameQueue &lt;---- WaitingFrame &lt;---- WebSocket, FrameReceiver, IdleWatch
 *
 *   FrameReader, FrameQueue --> Share --> SharedMemory --> Share --> FrameReceiver
 * </pre>
 * A {@code Handshake} is one request. Then a {@code FrameReceiver} gets the client's bytes, and a {@code
 * FrameQueue} has the frames that wait for the client, each a {@code WaitingFrame}. {@code FrameReader} is
 * the protocol without I/O: from bytes it makes a {@code Frame}, whose content {@code Utf8Check} and {@code
 * CloseStatus} check, or a {@code ConnectionFailure}. {@code Compression} is the agreement of the handshake,
 * and compresses outgoing messages; {@code Decompression} inflates incoming ones, little in each turn of the
 * loop. Bytes in the reader and the queue are the connection's {@code Share} of a {@code SharedMemory}; if
 * all shares together are too large, it gives up a connection. Everything is received on the thread of the
 * connection's loop. Other threads use {@code FrameQueue} and {@code Share}; {@code IdleWatch} is the only
 * additional thread.
 */
package org.microhttp.extras.websocket;
