package org.microhttp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * microhttp under load: one loop, no logging. The mode says who answers:
 *
 * <ul>
 * <li>{@code inline}: the handler at once, POST with the body that came; the default
 * <li>{@code async}: the same by another thread, as work that takes time would
 * <li>{@code fresh}: like inline, with a response made for each request, for what it costs to make one
 * <li>{@code array FILE}, {@code direct FILE}, {@code file FILE}: the handler with a large body, which is an
 *     array, a direct buffer, or a region of the file
 * </ul>
 *
 * <p>Runs until it is killed.
 */
public final class ThroughputServer {

    private static final String USAGE =
            "usage: ThroughputServer PORT [inline | async | fresh | array FILE | direct FILE | file FILE]";

    private static final Response HELLO = hello();

    private ThroughputServer() { }

    public static void main(String[] args) throws IOException {
        if (args.length == 0) throw new IllegalArgumentException(USAGE);
        Handler handler = handler(args.length > 1 ? args[1] : "inline", args.length > 2 ? args[2] : "");
        Options options = new Options().withHost("127.0.0.1").withPort(Integer.parseInt(args[0]))
                .withAcceptLength(16_384);
        new EventLoop(options, new NoopLogger(), handler).start();
    }

    private static Handler handler(String mode, String file) throws IOException {
        return switch (mode) {
            case "inline" -> (request, callback) -> callback.accept(answer(request, HELLO));
            case "fresh" -> (request, callback) -> callback.accept(answer(request, hello()));
            case "async" -> {
                var thread = Executors.newSingleThreadExecutor();
                yield (request, callback) ->
                        thread.execute(() -> callback.accept(answer(request, HELLO)));
            }
            case "array", "direct", "file" -> {
                Response large = large(mode, Path.of(file));
                yield (request, callback) -> callback.accept(large);
            }
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static Response answer(Request request, Response response) {
        if (!request.method().equals("POST")) return response;
        var type = new Header("Content-Type", "application/octet-stream");
        return new Response(200, "OK", List.of(type), request.body());
    }

    private static Response hello() {
        return new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "hello world\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static Response large(String kind, Path file) throws IOException {
        List<Header> fields = List.of(new Header("Content-Type", "application/octet-stream"));
        byte[] bytes = Files.readAllBytes(file);
        return switch (kind) {
            case "array" -> new Response(200, "OK", fields, bytes);
            case "direct" -> new Response(200, "OK", fields,
                    Body.of(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()));
            default -> new Response(200, "OK", fields, Body.of(FileChannel.open(file), 0, bytes.length));
        };
    }
}
