import java.io.IOException;
import java.nio.ByteBuffer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketListener;
import org.microhttp.extras.websocket.WebSocketOptions;

/** Sends each message back, to a client of the Autobahn test suite. Prints its port. */
final class Echo implements WebSocketListener {

    /** The largest message of the suite has 16 MiB. */
    private static final int MOST = 16 << 20;

    public static void main(String[] arguments) throws IOException {
        var sockets = new WebSocketOptions().withCompression(true).withMinCompressedSize(0)
                .withMaxMessageSize(MOST).withMaxQueuedBytes(2 * MOST);
        Handler handler = Handler.of(request -> WebSocket.upgrade(request, sockets, new Echo()));
        var options = new Options().withHost("127.0.0.1").withPort(0);
        var loop = new EventLoop(options, new NoopLogger(), handler);
        System.out.println(loop.getPort());
        loop.start();
    }

    @Override
    public void onText(WebSocket socket, String text) {
        socket.sendText(text);
    }

    @Override
    public void onBinary(WebSocket socket, ByteBuffer data) {
        socket.sendBinary(data);
    }
}
