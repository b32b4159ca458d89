import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Exports a million lines of CSV that are never in memory together: a function writes them to a stream, on a
 * thread of its own, and waits while the client does not read. If it fails, the client sees that the export
 * is incomplete; if the client goes, its next write fails. Clients that do not read keep no thread from
 * others. {@link Written} is a class to copy.
 */
public final class CsvServer {

    private static final int LINES = 1_000_000;

    /** Without it the system takes megabytes of what a client does not read. */
    private static final int SEND_BUFFER = 128 << 10;

    /** A function that writes a body. */
    interface Writer {

        void writeTo(OutputStream out) throws Exception;
    }

    /** The stream of one body, and its subscription: a buffer that was requested may be filled and sent. */
    static final class Written extends OutputStream implements Flow.Subscription, Runnable {

        private static final int SIZE = 16 * 1024;

        /** After so long a client that does not read gives its thread to a body that waits for one. */
        private static final int PATIENCE_MILLIS = 500;

        private final Flow.Subscriber<? super ByteBuffer> subscriber;
        private final Writer writer;
        private final Queue<Runnable> others;
        private final Semaphore requested = new Semaphore(0);
        private volatile boolean cancelled;
        private ByteBuffer buffer = ByteBuffer.allocate(SIZE);

        /** @param others those that wait for a thread */
        private Written(Flow.Subscriber<? super ByteBuffer> subscriber, Writer writer,
                Queue<Runnable> others) {
            this.subscriber = subscriber;
            this.writer = writer;
            this.others = others;
        }

        /**
         * A body that a thread of the executor writes each time that it is sent. If its client does not read,
         * it gives up the thread to a body that waits for one.
         */
        static Body by(ThreadPoolExecutor executor, Writer writer) {
            return Body.of(subscriber -> {
                var written = new Written(subscriber, writer, executor.getQueue());
                subscriber.onSubscribe(written);
                executor.execute(written);
            });
        }

        @Override
        public void run() {
            try {
                writer.writeTo(this);
                flush();
                subscriber.onComplete();
            } catch (Throwable t) {
                subscriber.onError(t);
            }
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            int at = from;
            while (at < from + length) {
                int count = Math.min(from + length - at, buffer.remaining());
                buffer.put(bytes, at, count);
                at += count;
                if (!buffer.hasRemaining()) {
                    flush();
                }
            }
        }

        /** Sends what was written; waits until the client has room for it. */
        @Override
        public void flush() throws IOException {
            if (buffer.position() == 0) {
                return;
            }
            awaitRequest();
            if (cancelled) {
                // for whoever goes on writing
                requested.release();
                throw new IOException("nobody reads the body any more");
            }
            subscriber.onNext(buffer.flip());
            buffer = ByteBuffer.allocate(SIZE);
        }

        private void awaitRequest() throws IOException {
            try {
                while (!requested.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    if (!others.isEmpty()) {
                        cancel();
                    }
                }
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }

        @Override
        public void request(long count) {
            requested.release((int) count);
        }

        @Override
        public void cancel() {
            cancelled = true;
            requested.release();
        }
    }

    public static void main(String[] args) {
        var fields = List.of(new Header("Content-Type", "text/csv"),
                new Header("Content-Disposition", "attachment; filename=\"export.csv\""));
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            // one for each client, up to so many: a thread that waits costs little
            var writers = (ThreadPoolExecutor) Executors.newFixedThreadPool(
                    args.length < 2 ? 500 : Integer.parseInt(args[1]));
            Handler handler = (request, callback) ->
                    callback.accept(new Response(200, fields, Written.by(writers, CsvServer::export)));
            // a client that reads less than a kilobyte a second would keep its thread for hours
            Options options = new Options().withPort(port).withMinSendRate(1000)
                    .withSendBufferSize(SEND_BUFFER);
            var loop = new EventLoop(options, new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had; or no number of threads
            System.err.println("CsvServer [PORT [THREADS]]: " + e.getMessage());
            System.exit(2);
        }
    }

    /** Stands for what a database returns, line by line. */
    private static void export(OutputStream out) throws IOException {
        var lines = new PrintWriter(out, false, StandardCharsets.UTF_8);
        lines.print("number,square\r\n");
        for (long i = 1; i <= LINES; i++) {
            lines.print(i + "," + i * i + "\r\n");
            // a PrintWriter swallows exceptions
            if (i % 10_000 == 0 && lines.checkError()) {
                throw new IOException("the export ends at line " + i);
            }
        }
        lines.flush();
    }
}
