package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.*;
import org.microhttp.*;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/** A gibibyte in one response, and in one request, of a server with a heap of 64 MiB. */
@Tier.Gate
final class StreamedGibibyteTest {

    private static final long LENGTH = 1L << 30;
    private static final int PIECE = 1 << 20;

    private ServerProcess server;

    /** The server counts what it receives; a body of that length is signalled inline, or by a thread. */
    static final class Program {

        private Program() { }

        public static void main(String[] arguments) throws IOException {
            var options = new Options().withPort(Integer.parseInt(arguments[0]))
                    .withMaxStreamedSize(2 * LENGTH);
            var received = new AtomicLong();
            var loop = new EventLoop(options, new NoopLogger(), Handler.receiving(
                    request -> BodySubscribers.ofByteArrayConsumer(
                            piece -> received.addAndGet(piece.map(bytes -> bytes.length).orElse(0))),
                    (request, receiver, callback) -> callback.accept(receiver == null
                            ? new Response(200, List.of(), body(request.path()))
                            : Response.text(200, "" + received))));
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        }

        private static Body body(String path) {
            if (path.equals("/inline")) return Body.of(BodyPublishers.ofInputStream(() -> zeros(LENGTH)));
            var publisher = new SubmissionPublisher<ByteBuffer>(Runnable::run, 8);
            new Thread(() -> {
                while (publisher.getNumberOfSubscribers() == 0) {
                    Thread.onSpinWait();
                }
                for (long i = 0; i < LENGTH / 8; i += PIECE) {
                    publisher.submit(ByteBuffer.allocate(PIECE));
                }
                publisher.close();
            }).start();
            return Body.of(publisher);
        }
    }

    private static InputStream zeros(long length) {
        byte[] piece = new byte[PIECE];
        return new SequenceInputStream(Collections.enumeration(
                Collections.nCopies((int) (length / PIECE), piece).stream()
                        .map(ByteArrayInputStream::new).toList()));
    }

    @BeforeEach
    void start() throws Exception {
        server = ServerProcess.start("-Xmx64m", Program.class.getName(), "0").listening();
    }

    @AfterEach
    void end() throws InterruptedException {
        server.process.destroyForcibly().waitFor();
    }

    private <T> T send(String path, HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler)
            throws Exception {
        var address = URI.create("http://localhost:" + server.port + path);
        return HttpClient.newHttpClient().send(request.uri(address).build(), handler).body();
    }

    @Test
    void isReceivedWhole() throws Exception {
        var request = HttpRequest.newBuilder().POST(BodyPublishers.ofInputStream(() -> zeros(LENGTH)));
        assertEquals("" + LENGTH, send("/", request, BodyHandlers.ofString()));
    }

    /** The first is a GiB; of what a thread signals, twice the heap is enough. */
    @Test
    void arrivesWhole() throws Exception {
        for (String path : List.of("/inline", "/thread")) {
            var count = new AtomicLong();
            send(path, HttpRequest.newBuilder(), BodyHandlers.ofByteArrayConsumer(
                    piece -> count.addAndGet(piece.map(bytes -> bytes.length).orElse(0))));
            assertEquals(path.equals("/inline") ? LENGTH : LENGTH / 8, count.get(), path);
        }
    }
}
