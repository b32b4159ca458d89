package org.microhttp.streams;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.load.PlainClient;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.CpuMeter;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.PinnedServer;

/**
 * Measures two things about streamed responses, server by server in turn: the CPU time of an event that is
 * sent to many listeners, beside that of bare writes; and the latency of small requests while many clients
 * read an endless stream at a byte a second.
 */
public final class Streams {

    private static final String USAGE = "usage: Streams FOLDER [--cpu CPU] [--listeners N] [--slow N]"
            + " [--rounds N] [--events N] [--seconds N] [--settling N]";

    private static final double SECONDS_AT_MOST = 1200;

    /** How many small requests are sent in a second, at even distances. */
    private static final int RATE = 500;

    private static final long SECOND = 1_000_000_000L;

    private final Path folder;
    private final String cpu;
    private final int listeners, slow, rounds, events;
    private final double seconds, settling;

    /** The last byte of the address of the next clients. */
    private int source = 2;

    private Streams(String[] args) {
        var given = new Arguments(USAGE, List.of(args), 1);
        folder = Path.of(args[0]);
        cpu = given.take("--cpu", "0");
        listeners = given.integer("--listeners", "10000", "[1-9][0-9]{0,4}");
        slow = given.integer("--slow", "5000", "[1-9][0-9]{0,4}");
        rounds = given.integer("--rounds", "5", "[1-9]");
        events = given.integer("--events", "10", "[1-9][0-9]{0,2}");
        seconds = given.number("--seconds", "10", "[0-9]{1,3}([.][0-9])?");
        settling = given.number("--settling", "30", "[0-9]{1,3}");
        given.end();
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) throw new IOException(USAGE);
        Children.endAfter(SECONDS_AT_MOST);
        var run = new Streams(args);
        PinnedServer ours = run.start(StreamServer.class);
        PinnedServer bare = run.start(BareServer.class);
        run.broadcast(ours, bare);
        run.readSlowly(ours.port());
        System.exit(0);
    }

    private PinnedServer start(Class<?> type) throws IOException {
        int port = PinnedServer.freePort();
        List<String> command = List.of(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC",
                "-Xmx512m", "-cp", System.getProperty("java.class.path"), type.getName(), "" + port);
        Path own = Files.createDirectory(folder.resolve(type.getSimpleName()));
        return new PinnedServer(command, own, port, cpu, SECONDS_AT_MOST);
    }

    private void broadcast(PinnedServer ours, PinnedServer bare) throws Exception {
        var ratios = new ArrayList<Double>();
        print("CPU time of an event to one of %d listeners, in us: user and kernel", listeners);
        for (int round = 0; round <= rounds; round++) {
            CpuTime own = publish(ours, round == 0);
            CpuTime floor = publish(bare, false);
            // the first one is to warm up
            if (round == 0) continue;
            double ratio = own.total() / floor.total();
            ratios.add(ratio);
            print("round %d  microhttp %.2f + %.2f  bare writes %.2f + %.2f  ratio %.2f", round,
                    own.user(), own.system(), floor.user(), floor.system(), ratio);
        }
        printRange("microhttp over bare writes", ratios);
    }

    /** The CPU time of one event to one listener, in microseconds. */
    private CpuTime publish(PinnedServer server, boolean weighed) throws Exception {
        try (var clients = new Listeners(server.port(), source++, listeners, 0);
                var publisher = new Socket("127.0.0.1", server.port())) {
            if (weighed) {
                weigh(server.port(), clients);
            } else {
                clients.send("/events");
            }
            // each gets one that shows that it listens
            clients.await(1);
            long bytes = clients.bytes();
            CpuMeter.settle(server::time);
            CpuTime before = server.time();
            for (int i = 2; i <= events + 1; i++) {
                long due = System.nanoTime() + (long) (seconds / events * SECOND);
                publishOne(publisher, clients, i);
                sleepUntil(due);
            }
            CpuTime spent = server.time().minus(before);
            long expected = (long) events * listeners * Event.chunk().remaining();
            bytes = clients.bytes() - bytes;
            // the CRLF that ends a chunk may come after the event that is in it
            long ends = 2L * listeners;
            if (Math.abs(bytes - expected) > ends) {
                throw new IOException(bytes + " bytes have come, not " + expected);
            }
            double each = 1e6 / events / listeners;
            return new CpuTime(spent.user() * each, spent.system() * each);
        }
    }

    private static void publishOne(Socket publisher, Listeners clients, int each) throws IOException {
        byte[] request = "POST /publish HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        publisher.getOutputStream().write(request);
        clients.await(each);
    }

    /** Opens the streams, and prints what each takes of the heap above an idle connection. */
    private void weigh(int port, Listeners clients) throws IOException {
        clients.request("/small");
        long idle = heap(port);
        clients.request("/events");
        print("heap of an open stream above an idle connection: %d bytes", (heap(port) - idle) / listeners);
    }

    private static long heap(int port) throws IOException {
        try (var client = new PlainClient(port)) {
            client.send("GET /heap HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            client.head();
            return Long.parseLong(new String(client.body(Integer.MAX_VALUE), StandardCharsets.US_ASCII));
        }
    }

    private void readSlowly(int port) throws Exception {
        var ratios = new ArrayList<Double>();
        print("99 of 100 small requests take, in ms, at most");
        for (int round = 0; round <= rounds; round++) {
            double alone = latency(port, null);
            double beside;
            try (var readers = new Listeners(port, source++, slow, 4096)) {
                readers.request("/endless");
                // until the kernel seldom asks whether a full client has room again
                sleepUntil(System.nanoTime() + (long) (settling * SECOND));
                beside = latency(port, readers);
            }
            if (round == 0) continue;
            ratios.add(beside / alone);
            print("round %d  alone %.3f  beside %d slow readers %.3f  ratio %.2f", round, alone, slow, beside,
                    beside / alone);
        }
        printRange("beside slow readers over alone", ratios);
    }

    /**
     * What 99 of 100 requests take at most, in ms, from when each was due. Between requests the same thread
     * reads for the slow readers, each a byte a second: another thread would compete for the processor.
     */
    private double latency(int port, Listeners readers) throws IOException {
        long[] nanos = new long[(int) (RATE * seconds)];
        try (var client = new PlainClient(port)) {
            client.download("/small");
            long due = System.nanoTime();
            for (int i = 0; i < nanos.length; i++) {
                due += SECOND / RATE;
                sleepUntil(due);
                client.download("/small");
                nanos[i] = System.nanoTime() - due;
                int slice = i % RATE;
                if (readers != null) readers.sip(slow * slice / RATE, slow * (slice + 1) / RATE);
            }
        }
        Arrays.sort(nanos);
        return nanos[nanos.length * 99 / 100] / 1e6;
    }

    private static void sleepUntil(long due) {
        while (due - System.nanoTime() > 0) LockSupport.parkNanos(due - System.nanoTime());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private static void printRange(String what, List<Double> ratios) {
        double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        print("%s: %.2f (%.2f to %.2f)", what, sorted[sorted.length / 2], sorted[0],
                sorted[sorted.length - 1]);
    }
}
