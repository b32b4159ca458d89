package org.microhttp.lifecycle.tools;

import java.io.*;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.microhttp.*;

/**
 * A server whose classes are counted as they are loaded, for {@link ServerProcess}. Its own program touches
 * as few of the library's as it can, and loads {@link Marker} just before the loop starts. It takes a line on
 * its standard input: "stats" prints them, "stop" lets the loop leave and prints how many were dropped.
 */
public final class LoadingServer implements Handler, Logger {

    /** Says in the log of classes from when on there must be no more. */
    private static final class Marker {

        private static void load() {
        }
    }

    private static final int LARGE = 8 << 20;

    private final CountDownLatch blockedSeen = new CountDownLatch(1);
    private volatile int length;

    public static void main(String[] arguments) throws Exception {
        var server = new LoadingServer();
        var time = Duration.ofMillis(500);
        var options = new Options().withHost("127.0.0.1").withPort(0).withResolution(Duration.ofMillis(10))
                .withSocketTimeout(time).withRequestTimeout(time).withHandlerTimeout(time)
                .withStreamTimeout(time).withMaxPendingRequests(3).withMaxConnections(20)
                .withWatchdog(Duration.ofMillis(50))
                .withExchangeListener(exchange -> server.length += exchange.headers().size())
                .withErrorHandler(error -> error.response().withHeader("X-Code", error.code()));
        // whoever makes such a handler has its threads
        Handler.blocking(request -> Response.of(204));
        var loop = new EventLoop(options, server, server);
        System.out.println(loop.getPort());
        new Thread(() -> obey(loop)).start();
        Marker.load();
        loop.start();
    }

    /** Ends when the loop has ended, and ends the program if the test has. */
    private static void obey(EventLoop loop) {
        try (var in = new BufferedReader(new InputStreamReader(System.in))) {
            for (String line; (line = in.readLine()) != null; ) {
                boolean stop = line.equals("stop");
                System.out.println(stop ? loop.stop(Duration.ofMillis(500)) : loop.stats());
                if (stop) return;
            }
        } catch (IOException e) {
            // the test has ended
        }
        System.exit(1);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        length += request.headers().size() + (request.hasHeader("Cookie", "a") ? 1 : 0);
        switch (request.target()) {
            case "/pending" -> { }
            case "/late" -> new Thread(() -> callback.accept(answer(2))).start();
            case "/large" -> callback.accept(answer(LARGE));
            case "/none" -> callback.accept(null);
            case "/failure" -> throw new IllegalArgumentException("wanted");
            default -> answerAtOnce(request, callback);
        }
    }

    private void answerAtOnce(Request request, Consumer<Response> callback) {
        if (request.target().equals("/interrupt")) {
            Thread.currentThread().interrupt();
        }
        if (request.target().equals("/block")) {
            try {
                blockedSeen.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        callback.accept(answer(2));
        if (request.target().equals("/twice")) {
            callback.accept(answer(2));
        }
    }

    private static Response answer(int length) {
        return new Response(200, "OK", List.of(new Header("Server", "test")), new byte[length]);
    }

    @Override
    public void log(Exception cause, LogEntry... entries) {
        length += entries.length;
        if (entries[0].value().equals("loop_blocked")) {
            blockedSeen.countDown();
        }
    }
}
