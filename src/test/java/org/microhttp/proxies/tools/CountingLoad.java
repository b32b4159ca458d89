package org.microhttp.proxies.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;

/**
 * Clients that ask without a pause, each on a connection of its own that persists, until they are told to
 * end. Every request counts as sent, and every answer as right or as a failure: another status, another body,
 * or none at all. A client never sends a request twice.
 */
public final class CountingLoad {

    private static final String BODY = "hello world\n";

    public final AtomicInteger sent = new AtomicInteger();
    public final AtomicInteger right = new AtomicInteger();

    /** What went wrong, a line for each request that failed. */
    public final LiveLog<String> failures = new LiveLog<>();

    private final int port;
    private final List<Thread> clients = new ArrayList<>();
    private volatile boolean ending;

    public CountingLoad(int port) {
        this.port = port;
    }

    /** Adds clients that send this request. */
    public CountingLoad add(int count, String request) {
        for (int i = 0; i < count; i++) {
            var client = new Thread(() -> run(request), "client-" + i);
            client.setDaemon(true);
            clients.add(client);
            client.start();
        }
        return this;
    }

    private void run(String request) {
        while (!ending) {
            try (var client = new RawClient(port)) {
                // a connection that has failed once is not used again
                for (boolean works = true; works && !ending; ) {
                    works = ask(client, request);
                }
            } catch (IOException e) {
                failures.add("no connection to the proxy: " + e);
                return;
            }
        }
    }

    private boolean ask(RawClient client, String request) {
        sent.incrementAndGet();
        try {
            RawResponse response = client.send(request).response();
            boolean fine = response.status() == 200 && response.text().equals(BODY);
            if (fine) {
                right.incrementAndGet();
            } else {
                failures.add(response.head().lines().findFirst().orElse(""));
            }
            // the proxy's wish, which is not about the request
            return fine && !"close".equals(response.header("Connection"));
        } catch (IOException | AssertionError e) {
            failures.add(e.toString());
            return false;
        }
    }

    /** Waits until so many were sent, or one has failed. */
    public void awaitSent(int count) throws InterruptedException {
        while (sent.get() < count && failures.size() == 0) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Has every client await its last answer. */
    public void end() throws InterruptedException {
        ending = true;
        for (Thread client : clients) {
            client.join();
        }
    }

    public static String post(String target) {
        return "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    }
}
