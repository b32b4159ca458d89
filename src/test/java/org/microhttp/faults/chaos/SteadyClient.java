package org.microhttp.faults.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RawResponse;

/**
 * A client that does all right: it asks again and again on connections that it keeps, and, if it is to, on
 * new ones. It compares each answer with what it asked. What goes wrong is in the ledger, and the connection
 * is begun anew; no request is sent twice.
 */
public final class SteadyClient implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PROXY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final long PAUSE_BEFORE_NEW_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<List<Long>>> asking = new ArrayList<>();
    private final AtomicLong next = new AtomicLong();
    private final ChaosLedger ledger;
    private final SocketAddress address;
    private final RawClient[] kept;
    private boolean connectsAnew;
    private String preface = "";
    private String request = "GET /# HTTP/1.1\r\nHost: x\r\n\r\n";
    private String answer = "/#";
    private boolean mayBeClosed;
    private long pauseNanos = PAUSE_NANOS;
    private volatile boolean ended;

    /** @param kept how many connections it keeps */
    public SteadyClient(ChaosLedger ledger, SocketAddress address, int kept) {
        this.ledger = ledger;
        this.address = address;
        this.kept = new RawClient[kept];
    }

    public SteadyClient(ChaosLedger ledger, int port, int kept) {
        this(ledger, new InetSocketAddress("127.0.0.1", port), kept);
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
        pauseNanos = PROXY_PAUSE_NANOS;
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
        ended = false;
        for (int i = 0; i < kept.length; i++) {
            int number = i;
            asking.add(threads.submit(() -> repeat(pauseNanos, number)));
        }
        if (connectsAnew) {
            asking.add(threads.submit(() -> repeat(PAUSE_BEFORE_NEW_NANOS, -1)));
        }
        return this;
    }

    /** Awaits the last answers. */
    public long[] end() throws Exception {
        ended = true;
        var times = new ArrayList<Long>();
        for (Future<List<Long>> future : asking) {
            times.addAll(future.get());
        }
        asking.clear();
        return times.stream().mapToLong(time -> time).sorted().toArray();
    }

    private List<Long> repeat(long pauseNanos, int number) throws IOException {
        var times = new ArrayList<Long>();
        while (!ended) {
            long began = System.nanoTime();
            String wrong = askOn(number);
            times.add(System.nanoTime() - began);
            ledger.asked("steady client", 1, wrong.isEmpty() ? 0 : 1, wrong);
            LockSupport.parkNanos(pauseNanos);
        }
        return times;
    }

    /** Asks on a connection that is kept, or on a new one; what is wrong, or nothing. */
    private String askOn(int number) throws IOException {
        RawClient client = number < 0 ? null : kept[number];
        String wrong;
        boolean last = true;
        try {
            client = client == null ? RawClient.to(address).send(preface) : client;
            RawResponse response = ask(client);
            last = mayBeClosed && response.closes();
            wrong = "";
        } catch (IOException | AssertionError e) {
            wrong = e.toString();
        }
        boolean keeps = wrong.isEmpty() && !last && number >= 0;
        if (!keeps && client != null) {
            client.close();
        }
        if (number >= 0) {
            kept[number] = keeps ? client : null;
        }
        return wrong;
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
            ledger.asked("behind the last answer", 0, more.isEmpty() ? 0 : 1, more);
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (RawClient client : kept) {
            if (client != null) {
                client.close();
            }
        }
    }
}
