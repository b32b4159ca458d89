package org.microhttp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.measure.Arguments;

/**
 * The server that load is put on: one loop, or a group of them, no logging. Port 0 takes a free port. The
 * mode says who answers:
 *
 * <ul>
 * <li>{@code inline}: the handler at once, POST with the body that came; the default
 * <li>{@code async}: likewise another thread, as work that takes time would
 * <li>{@code fresh}: like inline, with a response made for each request, for what it costs to make one
 * <li>{@code delay MILLIS}: another thread after this time
 * <li>{@code array FILE}, {@code direct FILE}, {@code file FILE}: the handler with a large body, which is an
 *     array, a direct buffer, or a region of the file
 * </ul>
 *
 * <p>{@code --loops N} makes a group; with {@code --reuse-port yes} several processes share the port. Runs
 * until it is killed.
 */
public final class ThroughputServer {

    private static final String USAGE = "usage: ThroughputServer PORT [inline|async|fresh|delay MILLIS"
            + "|array FILE|direct FILE|file FILE] [--host NAME] [--loops N] [--reuse-port yes]";

    private static final Response HELLO = hello();

    private ThroughputServer() { }

    public static void main(String[] args) throws IOException {
        List<String> words = Stream.of(args).takeWhile(word -> !word.startsWith("--")).toList();
        Arguments given = new Arguments(USAGE, List.of(args), words.size());
        int port = (int) given.number(words.isEmpty() ? "" : words.get(0), "[0-9]{1,5}");
        Handler handler = handler(words.size() > 1 ? words.get(1) : "inline",
                words.size() > 2 ? words.get(2) : "");
        if (handler == null) throw given.wrong("not so: " + words);
        Options options = new Options().withHost(given.take("--host", "127.0.0.1")).withPort(port)
                .withReusePort(given.take("--reuse-port", "no").equals("yes")).withAcceptLength(16_384);
        int loops = given.integer("--loops", "1", "[1-9][0-9]{0,2}");
        given.end();
        if (loops == 1) {
            EventLoop loop = new EventLoop(options, new NoopLogger(), handler);
            System.out.println("listening on " + options.host() + ":" + loop.getPort());
            loop.start();
        } else {
            EventLoopGroup group = new EventLoopGroup(options, new NoopLogger(), handler, loops);
            System.out.println("listening on " + options.host() + ":" + group.getPort());
            group.start();
        }
    }

    /** Null if there is no such mode. */
    private static Handler handler(String mode, String argument) throws IOException {
        return switch (mode) {
            case "inline" -> (request, callback) -> callback.accept(answer(request, HELLO));
            case "fresh" -> (request, callback) -> callback.accept(answer(request, hello()));
            case "async" -> {
                var thread = Executors.newSingleThreadExecutor(ThroughputServer::daemon);
                yield (request, callback) ->
                        thread.execute(() -> callback.accept(answer(request, HELLO)));
            }
            case "delay" -> {
                var thread = Executors.newSingleThreadScheduledExecutor(ThroughputServer::daemon);
                long millis = Long.parseLong(argument);
                yield (request, callback) ->
                        thread.schedule(() -> callback.accept(HELLO), millis, TimeUnit.MILLISECONDS);
            }
            case "array", "direct", "file" -> {
                Response large = large(mode, Path.of(argument));
                yield (request, callback) -> callback.accept(large);
            }
            default -> null;
        };
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "answers");
        thread.setDaemon(true);
        return thread;
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
