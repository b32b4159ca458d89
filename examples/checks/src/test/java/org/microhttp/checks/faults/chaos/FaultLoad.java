package org.microhttp.checks.faults.chaos;

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
import java.util.function.Supplier;
import org.microhttp.faults.tools.FaultServer;
import org.microhttp.faults.tools.ManyClients;
import org.microhttp.faults.tools.Visitor;
import org.microhttp.testing.RawClient;

/** The program that puts one {@link Fault} on a server until it is ended: FAULT ADDRESS CONNECTIONS. */
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

    private final Random random = new Random(1);
    private final SocketAddress server;
    private final int connections;

    private FaultLoad(SocketAddress server, int connections) {
        this.server = server;
        this.connections = connections;
    }

    public static void main(String[] arguments) throws IOException {
        var load = new FaultLoad(address(arguments[1]), Integer.parseInt(arguments[2]));
        switch (Fault.valueOf(arguments[0])) {
            case STORM, UNIX -> load.visit(20, 0.04, () -> load.one(STORM));
            case BAD_PROXY -> load.visit(5, 0.2, () -> load.one(PROXY));
            case GARBAGE -> load.visit(5, 0.2, load::garbage);
            case HANDLERS -> load.visit(5, 0.2, load::failing);
            case UNREAD -> load.hold("127.0.0.1", LARGE);
            case VANISHED -> load.hold(Namespace.VANISHING, LARGE);
            case DESCRIPTORS -> load.hold("127.0.0.1", "");
            default -> throw new IllegalArgumentException(arguments[0] + " is a program of its own");
        }
    }

    /** What {@link SocketAddress#toString} says of an address, read again. */
    private static SocketAddress address(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? UnixDomainSocketAddress.of(text)
                : new InetSocketAddress("127.0.0.1", Integer.parseInt(text.substring(colon + 1)));
    }

    /** Some visits every turn, each of which ends with a reset when a share of the connections is open. */
    private void visit(int perTurn, double share, Supplier<String> text) throws IOException {
        int count = Math.max(1, perTurn * connections / FULL);
        var visitors = new ArrayDeque<Visitor>();
        for (long turn = System.nanoTime(); ; turn += TURN_NANOS) {
            for (int i = 0; i < count; i++) {
                visitors.add(new Visitor(server).send(text.get()));
            }
            while (visitors.size() > share * connections) {
                Visitor oldest = visitors.remove();
                oldest.goOn();
                oldest.reset();
            }
            LockSupport.parkNanos(turn + TURN_NANOS - System.nanoTime());
        }
    }

    /** Connections that send this and read nothing; the server gives them up in time, so others follow. */
    private void hold(String from, String text) throws IOException {
        int port = ((InetSocketAddress) server).getPort();
        while (true) {
            try (var clients = new ManyClients(from, port, connections, 4096)) {
                clients.send(0, connections, text.getBytes(ISO_8859_1));
                LockSupport.parkNanos(HOLD_NANOS);
            }
        }
    }

    /** What {@link ChaosWrong} knows, or octets that mean nothing. */
    private String garbage() {
        if (random.nextBoolean()) {
            return new String(ChaosWrong.random(random).bytes(), ISO_8859_1);
        }
        var octets = new byte[random.nextInt(2_000)];
        random.nextBytes(octets);
        return new String(octets, ISO_8859_1);
    }

    /** A request that fails, and one behind it. */
    private String failing() {
        return RawClient.GET.replace("/ ", one(FaultServer.FAILING) + " ") + RawClient.GET;
    }

    private String one(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
