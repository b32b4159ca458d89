/**
 * WebSockets (RFC 6455) on connections that the server has handed over. A handler answers with a {@link
 * org.microhttp.extras.websocket.WebSocket}, and a {@link org.microhttp.extras.websocket.WebSocketListener}
 * gets its messages:
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
 * Its connections are closed when the server is told to stop.
 * {@link org.microhttp.extras.websocket.WebSocketMessage} and {@link
 * org.microhttp.extras.websocket.WebSocketGroup} send one message to many.
 * <p>
 * <b>Limits.</b> {@link org.microhttp.extras.websocket.WebSocketOptions} has them: a message of 1 MiB, 1 MiB
 * that waits for a client, 16 pongs, a quarter of the heap for all connections, a minute for a message, a
 * ping after 25 s of silence. Messages are kept whole in memory. The streamTimeout of the server must be
 * longer than the ping interval.
 * <p>
 * <b>Compression</b> (permessage-deflate, RFC 7692) is off: it takes CPU of the loop, and can betray a secret
 * that is sent in one message with a text of somebody else. Where messages are large,
 * {@link org.microhttp.extras.websocket.WebSocketOptions#withCompression} turns it on for clients that offer
 * it. Each message is compressed for itself, so that idle connections hold nothing for it. The limits are of
 * what is inflated, and hold while it is.
 * <p>
 * <b>Refused.</b> A request that is no handshake gets a 400, 405 or 426, pages of another origin a 403. A
 * client that breaks a rule is told by a Close frame: 1002 against the protocol, 1007 text that is not UTF-8,
 * 1008 too slow, 1009 too large, 1013 too much memory.
 * <p>
 * Inside:
 * <pre>
 *   request --> Handshake --> the 101, or a refusal
 *   bytes ----> FrameReceiver --> FrameReader --> Frame --> WebSocketListener
 *   bytes &lt;---- FrameQueue &lt;---- WaitingFrame &lt;---- WebSocket, FrameReceiver, IdleWatch
 *
 *   FrameReader, FrameQueue --> Share --> SharedMemory --> Share --> FrameReceiver
 * </pre>
 * A {@code Handshake} is one request; a {@code FrameReceiver} gets what its client sends from then on, and a
 * {@code FrameQueue} has what waits for it, each a {@code WaitingFrame}. {@code FrameReader} is the protocol
 * without I/O: bytes to a {@code Frame}, whose content {@code Utf8Check} and {@code CloseStatus} check, or to
 * a {@code ConnectionFailure}. {@code Compression} is what the handshake agrees on, and compresses what is
 * sent; {@code Decompression} inflates what the reader has, little in each turn of the loop. What reader and
 * queue keep counts as the {@code Share} of the connection in a {@code SharedMemory}, which gives up a
 * connection when it is too much for all. All that is received is on the thread of the connection's loop;
 * {@code FrameQueue} and {@code Share} are where other threads come in, and {@code IdleWatch} is the one
 * thread of its own.
 */
package org.microhttp.extras.websocket;
