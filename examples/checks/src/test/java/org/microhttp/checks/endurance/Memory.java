package org.microhttp.checks.endurance;

import java.io.IOException;
import java.util.stream.IntStream;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;

/**
 * Holds R19 in full: {@code [connections]}. After 5 million requests over 50,000 connections the live heap of
 * the server is within 1 MiB of what it was after the first 100,000.
 */
record Memory(Report report, TestedServer server, int answerLength) {

    private static final int PER_CONNECTION = 100;
    private static final int CONNECTIONS = 50_000;
    private static final int FIRST = 1_000;
    private static final String BATCH = RawClient.GET.repeat(PER_CONNECTION);

    static void run(Report report, String... arguments) throws Exception {
        int connections = Programs.number(arguments, 0, CONNECTIONS);
        try (var server = new TestedServer(TestedServer.MANY_FILES);
                var client = new RawClient(server.process.port)) {
            int length = client.send(RawClient.GET).halfClose().readToEnd().length();
            var memory = new Memory(report, server, length);
            memory.connect(FIRST);
            long first = server.liveHeap();
            long began = System.nanoTime();
            memory.connect(connections - FIRST);
            double seconds = (System.nanoTime() - began) / 1e9;
            long last = server.liveHeap();
            System.out.printf("%,d requests over %,d connections in %.1f s%n", PER_CONNECTION * connections,
                    connections, seconds);
            System.out.printf("live heap: %,d bytes after the first %,d, %,d at the end: %,d more%n", first,
                    FIRST * PER_CONNECTION, last, last - first);
            Usage.check(report, "bytes of live heap", last - first, 1 << 20);
        }
    }

    /** From several addresses of this machine, for each has only some 28,000 ports. */
    private void connect(int connections) {
        IntStream.range(0, connections).parallel().forEach(number -> {
            try (var client = RawClient.from("127.0.0." + (2 + number % 20), server.process.port)) {
                String answers = client.send(BATCH).halfClose().readToEnd();
                boolean whole = answers.length() == PER_CONNECTION * answerLength && answers.endsWith("/");
                report.check(whole, "answers", "not " + PER_CONNECTION + " whole ones: " + answers);
            } catch (IOException e) {
                report.violation("connections", "" + e);
            }
        });
    }
}
