package org.microhttp.checks.endurance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.ServerProcess;

/**
 * Holds R19 in full: {@code [connections]}. After 5 million requests over 50,000 connections the live heap of
 * the server is within 1 MiB of what it was after the first 100,000.
 */
final class Memory {

    private static final int PER_CONNECTION = 100;
    private static final int CONNECTIONS = 50_000;
    private static final int FIRST = 1_000;
    private static final int THREADS = 4;
    private static final String BATCH = RawClient.GET.repeat(PER_CONNECTION);

    private final ServerProcess server;
    private final int answerLength;

    private Memory(ServerProcess server) throws IOException {
        this.server = server;
        try (var client = new RawClient(server.port)) {
            answerLength = client.send(RawClient.GET).halfClose().readToEnd().length();
        }
    }

    static void run(Report report, String... arguments) throws Exception {
        int connections = Programs.number(arguments, 0, CONNECTIONS);
        try (var server = new TestedServer(TestedServer.MANY_FILES)) {
            var load = new Memory(server.process);
            load.run(FIRST);
            long first = server.liveHeap();
            long began = System.nanoTime();
            load.run(connections - FIRST);
            double seconds = (System.nanoTime() - began) / 1e9;
            long last = server.liveHeap();
            System.out.printf("%,d requests over %,d connections in %.1f s%n", PER_CONNECTION * connections,
                    connections, seconds);
            System.out.printf("live heap: %,d bytes after the first %,d, %,d at the end: %,d more%n", first,
                    FIRST * PER_CONNECTION, last, last - first);
            report.check(last - first < 1 << 20, "live heap", last - first + " bytes more");
        }
    }

    /** Some connections after the other from a few threads, each of which ends before this returns. */
    private void run(int connections) throws Exception {
        var executor = Executors.newFixedThreadPool(THREADS);
        var next = new AtomicInteger();
        var futures = new ArrayList<Future<Void>>();
        for (int i = 0; i < THREADS; i++) {
            Callable<Void> task = () -> {
                for (int number; (number = next.getAndIncrement()) < connections; ) {
                    connect(number);
                }
                return null;
            };
            futures.add(executor.submit(task));
        }
        for (Future<Void> future : futures) {
            future.get();
        }
        executor.shutdown();
    }

    /** From one of several addresses of this machine, for each has only some 28,000 ports. */
    private void connect(int number) throws IOException {
        try (var client = RawClient.from("127.0.0." + (2 + number % 20), server.port)) {
            String answers = client.send(BATCH).halfClose().readToEnd();
            if (answers.length() != PER_CONNECTION * answerLength || !answers.endsWith("/")) {
                throw new IOException("not " + PER_CONNECTION + " whole answers: " + answers);
            }
        }
    }
}
