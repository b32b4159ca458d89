package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.*;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.microhttp.*;
import org.microhttp.testing.ExampleProcess;
import org.microhttp.testing.Tier;

/** A gibibyte in one response, and in one request, of a server with a heap of 64 MiB. */
@Tier.Gate
final class StreamedGibibyteTest {

    private static final long LENGTH = 1L << 30;

    private ExampleProcess server;

    /**
     * The server: {@code /inline/PIECE/LENGTH} signals when it is asked, {@code /thread/PIECE/LENGTH} on its
     * own thread.
     */
    static final class Program {

        private Program() {
        }

        public static void main(String[] arguments) throws IOException {
            var options = new Options().withPort(Integer.parseInt(arguments[0]))
                    .withMaxStreamedSize(2 * LENGTH);
            var loop = new EventLoop(options, new NoopLogger(),
                    Handler.receiving(request -> new Counting(), Program::answer));
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        }

        private static void answer(Request request, Counting counted, Consumer<Response> callback) {
            if (counted != null) {
                callback.accept(Response.text(200, "" + counted.count));
                return;
            }
            String[] path = request.target().split("/");
            int size = Integer.parseInt(path[2]);
            long length = Long.parseLong(path[3]);
            Body body = Body.of(subscriber -> subscriber.onSubscribe(
                    new Sending(subscriber, path[1].equals("thread"), size, length)));
            callback.accept(new Response(200, List.of(), body));
        }
    }

    /** Counts a body's bytes, one list at a time. */
    private static final class Counting implements Flow.Subscriber<List<ByteBuffer>> {

        private Flow.Subscription subscription;
        private long count;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            count += buffers.stream().mapToLong(ByteBuffer::remaining).sum();
            subscription.request(1);
        }

        @Override
        public void onError(Throwable cause) {
        }

        @Override
        public void onComplete() {
        }
    }

    /** Signals each buffer anew, as a program does that reads something. */
    private static final class Sending implements Flow.Subscription, Runnable {

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final boolean threaded;
        private final int size;
        private final Semaphore requested = new Semaphore(0);
        private long left;
        private boolean started;

        Sending(Flow.Subscriber<? super ByteBuffer> subscriber, boolean threaded, int size, long length) {
            this.subscriber = subscriber;
            this.threaded = threaded;
            this.size = size;
            left = length;
        }

        @Override
        public void request(long count) {
            requested.release((int) count);
            if (!threaded) {
                signal();
            } else if (!started) {
                started = true;
                new Thread(this).start();
            }
        }

        private void signal() {
            while (left > 0 && requested.tryAcquire()) {
                next();
            }
        }

        private void next() {
            left -= size;
            subscriber.onNext(ByteBuffer.allocate(size));
            if (left == 0) {
                subscriber.onComplete();
            }
        }

        @Override
        public void run() {
            while (left > 0) {
                requested.acquireUninterruptibly();
                next();
            }
        }

        @Override
        public void cancel() {
            requested.release();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        server.process.destroyForcibly().waitFor();
    }

    @BeforeEach
    void start() throws Exception {
        server = ExampleProcess.start("-Xmx64m", Program.class.getName(), "0").listening();
    }

    @Test
    void isReceivedWhole() throws Exception {
        byte[] piece = new byte[1 << 20];
        InputStream all = new SequenceInputStream(Collections.enumeration(
                Collections.nCopies((int) (LENGTH >> 20), piece).stream()
                        .map(ByteArrayInputStream::new).toList()));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port + "/"))
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> all)).build();
        String count = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
        assertEquals("" + LENGTH, count);
    }

    /** The first is a GiB; of the other ways of sending twice the heap is enough. */
    @Test
    void arrivesWhole() throws Exception {
        receive("/inline/16384", LENGTH);
        for (String path : List.of("/inline/1048576", "/thread/16384", "/thread/1048576")) {
            receive(path, LENGTH / 8);
        }
    }

    private void receive(String path, long length) throws Exception {
        var address = URI.create("http://localhost:" + server.port + path + "/" + length);
        HttpRequest request = HttpRequest.newBuilder(address).build();
        HttpClient client = HttpClient.newHttpClient();
        try (InputStream body = client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
            byte[] bytes = new byte[1 << 16];
            long count = 0;
            for (int read = 0; read >= 0; read = body.read(bytes)) {
                count += read;
            }
            assertEquals(length, count, path);
        }
    }
}
