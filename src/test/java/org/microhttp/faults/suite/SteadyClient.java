package org.microhttp.faults.suite;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.faults.chaos.ChaosResponse;
import org.microhttp.faults.chaos.ChaosWire;
import org.microhttp.faults.tools.UnixSocket;

/**
 * A client that does all right: it asks again and again on connections that it keeps, and now and then on a
 * new one. Each request has a target of its own, with which the server answers, so that an answer that is
 * lost, doubled or another's is noticed. What goes wrong is noted, and the connection begun anew.
 */
public final class SteadyClient implements AutoCloseable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAUSE_BEFORE_NEW_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong next = new AtomicLong();
    private final SocketAddress address;
    private final String preface;
    private final boolean connectsAnew;
    private final ChaosWire[] kept;

    /**
     * @param kept         how many connections it keeps
     * @param connectsAnew whether it also asks on new ones
     * @param preface      what it sends when it has connected
     */
    public SteadyClient(SocketAddress address, int kept, boolean connectsAnew, String preface) {
        this.address = address;
        this.preface = preface;
        this.kept = new ChaosWire[kept];
        this.connectsAnew = connectsAnew;
    }

    /** Asks for so long, and tells what it saw. Whatever it asked has then been answered, or has failed. */
    public Seen watch(long millis) throws Exception {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        var futures = new ArrayList<Future<Seen>>();
        for (int i = 0; i < kept.length; i++) {
            int number = i;
            futures.add(threads.submit(repeat(until, PAUSE_NANOS, () -> askKept(number))));
        }
        if (connectsAnew) {
            futures.add(threads.submit(repeat(until, PAUSE_BEFORE_NEW_NANOS, this::askAnew)));
        }
        Seen all = Seen.NOTHING;
        for (Future<Seen> future : futures) {
            all = all.and(future.get());
        }
        return all;
    }

    private Callable<Seen> repeat(long until, long pauseNanos, Callable<Void> request) {
        return () -> {
            var times = new ArrayList<Long>();
            var errors = new ArrayList<String>();
            while (System.nanoTime() - until < 0) {
                long began = System.nanoTime();
                try {
                    request.call();
                } catch (IOException e) {
                    errors.add(e.toString());
                }
                times.add(System.nanoTime() - began);
                LockSupport.parkNanos(pauseNanos);
            }
            return new Seen(times.stream().mapToLong(time -> time).sorted().toArray(), errors);
        };
    }

    private Void askKept(int number) throws IOException {
        try {
            if (kept[number] == null) {
                kept[number] = connect();
            }
            ask(kept[number]);
        } catch (IOException e) {
            forget(number);
            throw e;
        }
        return null;
    }

    private Void askAnew() throws IOException {
        try (var client = connect()) {
            ask(client);
        }
        return null;
    }

    private ChaosWire connect() throws IOException {
        Socket socket = address instanceof UnixDomainSocketAddress ? new UnixSocket() : new Socket();
        var wire = new ChaosWire(socket, address, 4096, 0, 0);
        wire.send(preface.getBytes(ISO_8859_1));
        return wire;
    }

    private void ask(ChaosWire wire) throws IOException {
        String target = "/" + next.incrementAndGet();
        wire.send(("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(ISO_8859_1));
        ChaosResponse response = wire.response(false);
        if (response == null) {
            throw new IOException("the connection ended before the answer to " + target);
        }
        String body = new String(response.body(), ISO_8859_1);
        if (response.status() != 200 || !body.equals(target)) {
            throw new IOException("for " + target + " came " + response.head() + body);
        }
    }

    private void forget(int number) throws IOException {
        if (kept[number] != null) {
            kept[number].close();
            kept[number] = null;
        }
    }

    /** What comes behind the last answers, where nothing may come, of each connection that is kept. */
    public List<String> leftovers() throws IOException {
        var found = new ArrayList<String>();
        for (ChaosWire wire : kept) {
            if (wire == null) {
                continue;
            }
            wire.halfClose();
            ChaosResponse more = wire.response(false);
            if (more != null) {
                found.add("behind the last answer came " + more);
            }
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (int i = 0; i < kept.length; i++) {
            forget(i);
        }
    }
}
