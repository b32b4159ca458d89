package org.microhttp.checks.endurance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.faults.tools.Visitor;
import org.microhttp.testing.RawClient;

/** Puts a {@link Fault} on a server: as a program, FAULT ADDRESS CONNECTIONS, or in threads of this one. */
final class FaultLoad {

    /** With so many connections a load is what it says; with fewer it is less in proportion. */
    private static final int FULL = 5_000;

    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long HOLD_NANOS = TimeUnit.SECONDS.toNanos(12);

    /** What those send who reset their connection next: nothing, half a request, more than they read. */
    private static final List<String> STORM = List.of("", "GET / HTTP/1.1\r\nHo", RawClient.GET.repeat(20),
            "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");

    private static final String LARGE = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

    /** What comes first in place of a PROXY header: none, a bad one, one without an end, one that is cut. */
    private static final List<String> PROXY = List.of(RawClient.GET, "PROXY TCP4 192.0.2.999 x 1 2\r\n",
            "PROXY UNKNOWN " + "x".repeat(500), "PROXY TCP4 192.0.2.1 192.0",
            "\r\n\r\n\0\r\nQUIT\n\u00ff\0\0\0",
            "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\u00ff\u00ff");

    private static final String HEAD = "GET / HTTP/1.1\r\nHost: x\r\n";
    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";

    /** What is no request, or one above a limit. */
    private static final List<String> WRONG = List.of("@garbage@\r\n", "GET / HTTP/1.1\nHost: x\n\n",
            "GET / HTTP/1.1\r\n\r\n", HEAD + "A : b\r\n\r\n", HEAD + "Expect: more\r\n\r\n",
            POST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
            POST + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\nx\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n1\r\nxx",
            POST + "Transfer-Encoding: gzip, chunked\r\n\r\n",
            "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n", "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
            HEAD + "A: b\r\n".repeat(200), HEAD + "A: " + "b".repeat(40_000), "GET /" + "b".repeat(40_000),
            POST + "Content-Length: 50000000\r\n\r\n");

    private final Random random;
    private final SocketAddress server;
    private final int connections;

    FaultLoad(SocketAddress server, int connections, long seed) {
        this.server = server;
        this.connections = connections;
        random = new Random(seed);
    }

    public static void main(String[] arguments) throws IOException {
        var load = new FaultLoad(address(arguments[1]), Integer.parseInt(arguments[2]), 1);
        load.put(Fault.valueOf(arguments[0]), () -> false);
    }

    /** What {@link SocketAddress#toString} says of an address, read again. */
    private static SocketAddress address(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? UnixDomainSocketAddress.of(text)
                : new InetSocketAddress("127.0.0.1", Integer.parseInt(text.substring(colon + 1)));
    }

    /** Until the end, also if the server is gone before. */
    void run(Fault fault, BooleanSupplier ended) {
        while (!ended.getAsBoolean()) {
            try {
                put(fault, ended);
            } catch (IOException e) {
                LockSupport.parkNanos(TURN_NANOS);
            }
        }
    }

    private void put(Fault fault, BooleanSupplier ended) throws IOException {
        switch (fault) {
            case STORM, UNIX -> visit(ended, 20, 0.04, () -> one(STORM));
            case BAD_PROXY -> visit(ended, 5, 0.2, () -> one(PROXY));
            case GARBAGE -> visit(ended, 5, 0.2, this::garbage);
            // a request that fails, and one behind it
            case HANDLERS -> visit(ended, 5, 0.2,
                    () -> RawClient.GET.replace("/ ", one(FaultServer.FAILING) + " ") + RawClient.GET);
            case SLOW_HEADERS -> hold(ended, "127.0.0.1", HEAD);
            case UNREAD -> hold(ended, "127.0.0.1", LARGE);
            case VANISHED -> hold(ended, Namespace.VANISHING, LARGE);
            case DESCRIPTORS -> hold(ended, "127.0.0.1", "");
            default -> throw new IllegalArgumentException(fault + " is a program of its own");
        }
    }

    /** Some visits every turn, each of which ends with a reset when a share of the connections is open. */
    private void visit(BooleanSupplier ended, int perTurn, double share, Supplier<String> text)
            throws IOException {
        int count = Math.max(1, perTurn * connections / FULL);
        var visitors = new ArrayDeque<Visitor>();
        try {
            for (long turn = System.nanoTime(); !ended.getAsBoolean(); turn += TURN_NANOS) {
                for (int i = 0; i < count; i++) {
                    visitors.add(new Visitor(server).send(text.get()));
                }
                while (visitors.size() > share * connections) {
                    visitors.peek().goOn();
                    visitors.remove().reset();
                }
                LockSupport.parkNanos(turn + TURN_NANOS - System.nanoTime());
            }
        } finally {
            for (Visitor visitor : visitors) {
                visitor.close();
            }
        }
    }

    /** Connections that send this and read nothing; the server gives them up in time, so others follow. */
    private void hold(BooleanSupplier ended, String from, String text) throws IOException {
        int port = ((InetSocketAddress) server).getPort();
        while (!ended.getAsBoolean()) {
            try (var clients = new ManyClients(from, port, connections, 4096)) {
                clients.send(0, connections, text.getBytes(ISO_8859_1));
                long until = System.nanoTime() + HOLD_NANOS;
                while (!ended.getAsBoolean() && System.nanoTime() - until < 0) {
                    LockSupport.parkNanos(TURN_NANOS);
                }
            }
        }
    }

    /** What is known to be wrong, or bytes that mean nothing. */
    private String garbage() {
        if (random.nextBoolean()) return one(WRONG);
        var bytes = new byte[random.nextInt(2_000)];
        random.nextBytes(bytes);
        return new String(bytes, ISO_8859_1);
    }

    private String one(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
