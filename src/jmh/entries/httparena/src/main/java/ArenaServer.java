import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Flow;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.SystemLogger;
import org.microhttp.extras.compression.CompressionHandler;
import org.microhttp.extras.compression.CompressionOptions;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.routing.Parameters;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.extras.routing.Route;
import org.microhttp.extras.routing.Router;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketListener;
import org.microhttp.extras.websocket.WebSocketOptions;

/** The routes of HttpArena for HTTP/1.1 and WebSocket, on port 8080. */
public final class ArenaServer {

    /** The most connections of the profile json-comp: each response is compressed. */
    private static final int MOST_COMPRESSED = 16_384;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Item> dataset;

    record Rating(int score, int count) {
    }

    record Item(int id, String name, String category, int price, int quantity, boolean active,
                List<String> tags, Rating rating, long total) {

        Item withTotal(long factor) {
            return new Item(id, name, category, price, quantity, active, tags, rating,
                    price * quantity * factor);
        }
    }

    record Items(List<Item> items, int count) {
    }

    /** Counts the bytes of a body as they come. */
    private static final class Counter implements Flow.Subscriber<List<ByteBuffer>> {

        private long bytes;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                bytes += buffer.remaining();
            }
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    private static final class Echo implements WebSocketListener {

        @Override
        public void onText(WebSocket socket, String text) {
            socket.sendText(text);
        }

        @Override
        public void onBinary(WebSocket socket, ByteBuffer data) {
            socket.sendBinary(data);
        }
    }

    private ArenaServer(List<Item> dataset) {
        this.dataset = dataset;
    }

    private Handler handler() throws IOException {
        var options = new WebSocketOptions();
        var echo = new Echo();
        return new Router()
                .on("GET", "/baseline11", ArenaServer::sum)
                .on("POST", "/baseline11", ArenaServer::sum)
                .on("GET", "/pipeline", request -> Response.text(200, "ok"))
                .on("GET", "/json/{count:number}", new CompressionHandler(Handler.of(this::items),
                        CompressionOptions.DEFAULT.withMaxStreams(MOST_COMPRESSED)))
                .on("POST", "/upload", Route.receiving(request -> new Counter(), (request, body, callback) ->
                        callback.accept(Response.text(200, "" + (body == null ? 0 : body.bytes)))))
                .on("GET", "/ws", request -> WebSocket.upgrade(request, options, echo))
                // files are read from the disk for each request
                .below("/static", FileHandler.of(Path.of("/data/static")).withMemory(0).build());
    }

    private static Response sum(Request request) {
        Parameters query = Parameters.query(request);
        long sum = number(query, "a") + number(query, "b");
        String body = new String(request.body(), StandardCharsets.US_ASCII).strip();
        try {
            return Response.text(200, "" + (body.isEmpty() ? sum : sum + Integer.parseInt(body)));
        } catch (NumberFormatException e) {
            throw new RequestException("the body is not a number");
        }
    }

    private static int number(Parameters query, String name) {
        return query.number(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    private Response items(Request request) throws IOException {
        int count = (int) Math.min(Router.number(request, "count"), dataset.size());
        int factor = number(Parameters.query(request), "m");
        List<Item> items = dataset.subList(0, count).stream().map(item -> item.withTotal(factor)).toList();
        return Response.of(200, "application/json", JSON.writeValueAsBytes(new Items(items, count)));
    }

    public static void main(String[] args) throws IOException {
        Item[] dataset = JSON.readValue(new File("/data/dataset.json"), Item[].class);
        Handler handler = new ArenaServer(List.of(dataset)).handler();
        new EventLoopGroup(new Options().withHost(null), new SystemLogger(), handler).start();
    }
}
