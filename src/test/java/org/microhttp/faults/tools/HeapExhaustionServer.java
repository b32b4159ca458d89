package org.microhttp.faults.tools;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.Occupancy;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.testing.TestServer;

/**
 * A server that runs out of heap on demand, for {@link ServerProcess}. A line is known by its first letter,
 * so that it can be read without any heap: "leave" with so many bytes eats the rest of the heap, "free" lets
 * it go, "answer" answers the requests that wait, and "counts" prints whether the loop runs and what is
 * counted. A request for /eat eats the heap in the handler.
 */
public final class HeapExhaustionServer implements Handler {

    private static final byte[] DONE = {'d', 'o', 'n', 'e', '\n'};

    /** References in a piece, from many to few, so that nothing is left. */
    private static final int[] PIECES = {1 << 14, 1 << 8, 1};

    private final Response ok = TestServer.ok("ok");
    private final Response large = new Response(200, "OK", List.of(), new byte[200_000]);
    private final Queue<Consumer<Response>> waiting = new ConcurrentLinkedQueue<>();
    private final EventLoop loop;
    private final Selector selector;
    private final Occupancy occupied;

    /** What is eaten: pieces, each of which holds the one before. */
    private Object[] eaten;
    private volatile boolean running = true;

    private HeapExhaustionServer() throws IOException, ReflectiveOperationException {
        var options = new Options().withHost("127.0.0.1").withPort(0).withSendBufferSize(4096)
                .withSocketTimeout(Duration.ofSeconds(5)).withMaxConnections(1_000)
                .withMaxPendingRequests(1_000).withMaxBufferedBytes(1 << 30);
        loop = new EventLoop(options, new Printing(), this);
        selector = Inside.of(loop, Selector.class);
        occupied = new Occupancy(loop);
    }

    /** Needs heap for each event, as most loggers do. */
    private static final class Printing implements Logger {

        private volatile String last;

        @Override
        public void log(Exception cause, LogEntry... entries) {
            last = cause + List.of(entries).toString();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var server = new HeapExhaustionServer();
        System.out.println(server.loop.getPort());
        new Thread(server::obey).start();
        try {
            server.loop.start();
        } finally {
            server.running = false;
            server.eaten = null;
        }
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        switch (request.target()) {
            case "/eat" -> eat();
            case "/pending" -> waiting.add(callback);
            case "/large" -> callback.accept(large);
            case "/stream" -> callback.accept(new Response(200, List.of(), Body.of(this::stream)));
            default -> callback.accept(ok);
        }
    }

    /** Of an upload the bytes are counted, which needs heap for each list. */
    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return request.target().equals("/upload") ? HttpResponse.BodySubscribers.ofByteArray() : null;
    }

    /** Signals pieces as they are requested, which may fail where there is no heap. */
    private void stream(Flow.Subscriber<? super ByteBuffer> subscriber) {
        subscriber.onSubscribe(new Flow.Subscription() {

            private int left = 50;

            @Override
            public void request(long count) {
                for (long i = 0; i < count && left > 0; i++) {
                    left--;
                    subscriber.onNext(ByteBuffer.allocate(4_000));
                    if (left == 0) subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
                left = 0;
            }
        });
    }

    /** Eats until there is no heap, and lets it go by failing. */
    private static void eat() {
        for (Object[] last = null; ; ) {
            var piece = new Object[PIECES[0]];
            piece[0] = last;
            last = piece;
        }
    }

    /** Eats, and keeps it, until less than the smallest piece is left beside so many bytes. */
    private void leave(int bytes) {
        var left = new byte[bytes];
        for (int references : PIECES) {
            try {
                while (left.length == bytes) {
                    var piece = new Object[references];
                    piece[0] = eaten;
                    eaten = piece;
                }
            } catch (OutOfMemoryError e) {
                continue;
            }
        }
    }

    private void obey() {
        try {
            for (int letter; (letter = System.in.read()) >= 0; ) {
                obey(letter, number());
            }
            System.exit(0);
        } catch (IOException e) {
            System.exit(1);
        }
    }

    /** The number at the end of the line, or 0. */
    private static int number() throws IOException {
        int number = 0;
        for (int octet; (octet = System.in.read()) != '\n' && octet >= 0; ) {
            number = octet >= '0' && octet <= '9' ? 10 * number + octet - '0' : 0;
        }
        return number;
    }

    private void obey(int letter, int number) {
        switch (letter) {
            case 'c' -> System.out.println(counts());
            case 'l' -> leave(number);
            case 'f' -> eaten = null;
            default -> answer();
        }
        if (letter != 'c') {
            System.out.write(DONE, 0, DONE.length);
            System.out.flush();
        }
    }

    /** The callback may throw where there is no heap: then it is called again the next time. */
    private void answer() {
        try {
            for (Consumer<Response> callback; (callback = waiting.peek()) != null; waiting.poll()) {
                callback.accept(ok);
            }
        } catch (OutOfMemoryError e) {
            return;
        }
    }

    private String counts() {
        long keys = selector.isOpen() ? selector.keys().size() - 1 : 0;
        return String.format("%s, %d bytes, %d requests, %d connections, %d open, %d keys",
                running ? "running" : "ended", occupied.bytes(), occupied.requests(),
                occupied.connections(), occupied.open().get(0), keys);
    }
}
