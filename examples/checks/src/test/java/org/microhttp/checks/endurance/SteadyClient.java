package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.checks.endurance.Load.Round;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;

/**
 * A client that does all right: it asks again and again on connections that it keeps, and, if it is to, on
 * new ones. It compares each answer with what it asked. What goes wrong is in the report, and the connection
 * is begun anew; no request is sent twice.
 */
public final class SteadyClient implements AutoCloseable {

    private static final long PAUSE_MILLIS = 1;
    private static final long PROXY_PAUSE_MILLIS = 3;
    private static final long PAUSE_BEFORE_NEW_MILLIS = 5;

    private final AtomicLong next = new AtomicLong();
    private final Report report;
    private final SocketAddress address;
    private final RawClient[] kept;
    private boolean connectsAnew;
    private String preface = "";
    private String request = "GET /# HTTP/1.1\r\nHost: x\r\n\r\n";
    private String answer = "/#";
    private boolean mayBeClosed;
    private long pauseMillis = PAUSE_MILLIS;
    private Load load;
    private Queue<Long> times;

    /** @param kept how many connections it keeps */
    public SteadyClient(Report report, SocketAddress address, int kept) {
        this.report = report;
        this.address = address;
        this.kept = new RawClient[kept];
    }

    public SteadyClient(Report report, int port, int kept) {
        this(report, new InetSocketAddress("127.0.0.1", port), kept);
    }

    /** Has it also ask on new connections. */
    SteadyClient connectingAnew(boolean anew) {
        connectsAnew = anew;
        return this;
    }

    /** What it sends first on each connection. */
    SteadyClient beginningWith(String text) {
        preface = text;
        return this;
    }

    /** What it asks a proxy, which may close a connection with an answer; # is the number of the request. */
    public SteadyClient askingProxy(String template, String body) {
        request = template;
        answer = body;
        mayBeClosed = true;
        pauseMillis = PROXY_PAUSE_MILLIS;
        return this;
    }

    /** Asks for so long: the sorted times of its requests, each of which has been answered or has failed. */
    public long[] watch(long millis) throws Exception {
        begin();
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left; (left = until - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
        return end();
    }

    /** Asks until {@link #end}. */
    public SteadyClient begin() {
        load = new Load(report);
        times = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < kept.length; i++) {
            int number = i;
            load.addRestless("steady client", pauseMillis, () -> timed(() -> askKept(number)));
        }
        if (connectsAnew) {
            load.addRestless("steady client", PAUSE_BEFORE_NEW_MILLIS, () -> timed(this::askAnew));
        }
        return this;
    }

    /** Awaits the last answers. */
    public long[] end() throws InterruptedException {
        load.end();
        return times.stream().mapToLong(time -> time).sorted().toArray();
    }

    private Round timed(Callable<Round> round) throws Exception {
        long began = System.nanoTime();
        try {
            return round.call();
        } finally {
            times.add(System.nanoTime() - began);
        }
    }

    private Round askKept(int number) throws IOException {
        RawClient client = kept[number] == null ? connect() : kept[number];
        kept[number] = null;
        boolean keeps = false;
        try {
            keeps = !ask(client).closes() || !mayBeClosed;
        } finally {
            if (keeps) {
                kept[number] = client;
            } else {
                client.close();
            }
        }
        return Round.RIGHT;
    }

    private Round askAnew() throws IOException {
        try (var client = connect()) {
            ask(client);
        }
        return Round.RIGHT;
    }

    private RawClient connect() throws IOException {
        return RawClient.to(address).send(preface);
    }

    private RawResponse ask(RawClient client) throws IOException {
        String number = "" + next.incrementAndGet();
        RawResponse response = client.send(request.replace("#", number)).responseOrEnd(false);
        if (response == null) {
            throw new IOException("the connection ended before the answer to " + number);
        }
        if (response.status() != 200 || !response.text().equals(answer.replace("#", number))) {
            throw new IOException("to " + number + " came " + response.head() + response.text());
        }
        return response;
    }

    /** Ends every connection that is kept, and checks that nothing comes behind the last answers. */
    void checkLeftovers() throws IOException {
        for (RawClient client : kept) {
            if (client != null) {
                client.halfClose();
            }
        }
        for (RawClient client : kept) {
            String more = client == null ? "" : client.readToEnd();
            report.asked("behind the last answer", 0, more.isEmpty() ? 0 : 1, more);
        }
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : kept) {
            if (client != null) {
                client.close();
            }
        }
    }
}
