package org.microhttp.providers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.load.PlainClient;

/** Asks a server for the same again and again, on several connections with a thread each. */
final class ProviderLoad {

    private final int port;
    private final Work work;
    private final byte[] request;
    private final long end;
    private final AtomicLong answered = new AtomicLong();
    private volatile IOException failure;

    private ProviderLoad(int port, Work work, double seconds) {
        this.port = port;
        this.work = work;
        request = work.request();
        end = System.nanoTime() + (long) (seconds * 1e9);
    }

    /** {@return how many requests were answered until that time was over; each has at least one} */
    static long run(int port, Work work, double seconds) throws IOException {
        var load = new ProviderLoad(port, work, seconds);
        Thread[] threads = new Thread[work.connections];
        Arrays.setAll(threads, i -> new Thread(load::ask));
        for (Thread thread : threads) thread.start();
        try {
            for (Thread thread : threads) thread.join();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (load.failure != null) throw load.failure;
        return load.answered.get();
    }

    private void ask() {
        try (var client = new PlainClient(port)) {
            do {
                client.send(request);
                long length = client.answer();
                if (length != work.answer) throw new IOException(work + ": " + length + " bytes have come");
                answered.incrementAndGet();
            } while (System.nanoTime() - end < 0);
        } catch (IOException e) {
            failure = e;
        }
    }
}
