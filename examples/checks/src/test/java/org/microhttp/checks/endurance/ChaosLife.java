package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Inside;
import org.microhttp.Occupancy;
import org.microhttp.Options;
import org.microhttp.Server;
import org.microhttp.Stats;
import org.microhttp.testing.Leaks;
import org.microhttp.testing.TestServer;

/**
 * One server, from the constructor to the end: clients that do all right and {@link #FAULTS} use it for a
 * while, it is ended in some way, and then all that it used has to be free. Meanwhile a thread looks every
 * few milliseconds whether it keeps its limits.
 */
final class ChaosLife {

    private static final int CLIENTS = 80;
    private static final List<Fault> FAULTS =
            List.of(Fault.STORM, Fault.GARBAGE, Fault.SLOW_HEADERS, Fault.UNREAD);

    /** Of each fault. */
    private static final int CONNECTIONS = 5;

    private static final long SECOND = 1_000_000_000L;
    private static final long PERIOD_NANOS = 2_000_000;

    /** With a hundred threads on few processors, one waits for its turn. */
    private static final long SLOW_NANOS = SECOND / 4;

    final Report report;
    final ChaosLimits limits;
    final Server server;
    final int port;
    final ChaosHandler handler = new ChaosHandler(this);
    final Thread starter = new Thread(this::start, "chaos-start");
    private final ChaosLogger logger;
    private final Occupancy occupied;
    private final ChaosEnding ending;
    private final Random random;
    private final Queue<String> missed = new ConcurrentLinkedQueue<>();
    private volatile boolean begunToEnd;
    private volatile boolean over;
    private volatile boolean interrupted;

    /** How many nanoseconds a thread of this machine had to wait beyond its time, at most. */
    private volatile long latest;

    ChaosLife(Report report, ChaosEnding ending, long seed) throws Exception {
        this.report = report;
        this.ending = ending;
        random = new Random(seed);
        limits = new ChaosLimits(random);
        report.begin("seed " + seed + ", " + ending + ", " + limits);
        logger = new ChaosLogger(report, seed, new AtomicLong());
        server = bind();
        port = server.getPort();
        occupied = new Occupancy(Inside.loops(server).toArray(EventLoop[]::new));
    }

    /**
     * Not at one of the ports that the system gives to clients: when the server is gone, a client that
     * connects to such a port may get it for its own end, and so be connected with itself.
     */
    private Server bind() throws IOException {
        for (int tries = 1; ; tries++) {
            Options options = limits.options(20_000 + random.nextInt(12_000));
            try {
                return limits.loops > 1 ? new EventLoopGroup(options, logger, handler, limits.loops)
                        : new EventLoop(options, logger, handler);
            } catch (IOException e) {
                if (tries == 100) throw e;
            }
        }
    }

    /** Serves for so long, then ends. */
    void run(long millis) throws Exception {
        var watch = new Thread(this::watch, "chaos-watch");
        starter.start();
        watch.start();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Thread(new ChaosClient(this, i, random.nextLong()), "chaos-client-" + i));
        }
        var address = new InetSocketAddress("127.0.0.1", port);
        for (Fault fault : FAULTS) {
            var load = new FaultLoad(address, CONNECTIONS, random.nextLong());
            clients.add(new Thread(() -> load.run(fault, this::isOver), "chaos-" + fault));
        }
        clients.forEach(Thread::start);
        starter.join(millis);
        report.check(starter.isAlive(), "start()", "has returned by itself");
        end();
        for (Thread client : clients) {
            client.join(TimeUnit.SECONDS.toMillis(60));
            report.check(!client.isAlive(), "client", client + " does not end");
        }
        watch.join();
        checkFree();
    }

    private void start() {
        try {
            server.start();
        } catch (Throwable t) {
            report.violation("start()", "throws " + t + ", " + t.getCause());
        }
        interrupted = Thread.currentThread().isInterrupted();
    }

    private void watch() {
        while (!over) {
            long began = System.nanoTime();
            LockSupport.parkNanos(PERIOD_NANOS);
            latest = Math.max(latest, System.nanoTime() - began - PERIOD_NANOS);
            checkLimit("maxBufferedBytes", occupied.bytes(), limits.bytes);
            checkLimit("maxConnections", occupied.connections(), limits.connections);
            checkLimit("maxPendingRequests", occupied.requests(), limits.pending);
            // of several loops one may have closed a connection and another opened one between two looks
            if (limits.loops == 1) {
                checkLimit("maxConnections", server.stats().connections(), limits.connections);
            }
            handler.checkPending();
        }
    }

    private void checkLimit(String limit, long used, long most) {
        report.check(used >= 0 && used <= most, limit, used + " of " + most);
    }

    private void end() throws Exception {
        begunToEnd = true;
        long began = System.nanoTime();
        ending.begin(this);
        starter.join(ending.grace().plusSeconds(30).toMillis());
        long late = System.nanoTime() - began - ending.grace().toNanos();
        // on a busy machine several threads wait for their turn, one after the other
        report.check(late < SECOND + 20 * latest, "time to end", late / 1_000_000 + " ms beyond the grace");
        try {
            Leaks.bind(port);
        } catch (IOException e) {
            report.violation("port", "cannot be bound anew: " + e);
        }
        over = true;
        // those of the loops have ended before start() returned; those that watch them are told to
        boolean ended = TestServer.threads("microhttp-").stream()
                .allMatch(thread -> thread.getName().endsWith("-watchdog"));
        report.check(ended, "threads", "a loop's is left");
        long dogs = Usage.settled(() -> TestServer.threads("microhttp-").size(), 0);
        report.check(dogs == 0, "threads", dogs + " watchdogs are left");
    }

    /** When every client is gone and every answer given. */
    private void checkFree() throws Exception {
        report.check(interrupted == (ending == ChaosEnding.INTERRUPT), "interrupt flag", "is " + interrupted);
        int dropped = server.stop(ChaosEnding.LONG);
        report.count("dropped", dropped);
        if (ending.isGraceful()) {
            checkFree("requests dropped though there was time", dropped);
            missed.forEach(what -> report.violation("answer lost while leaving", what));
        }
        handler.end();
        checkFree("bytes", occupied.bytes());
        checkFree("connections", occupied.connections());
        checkFree("places", Usage.settled(occupied::requests, 0));
        checkFree("connections of loops", occupied.openCount());
        checkFree("tasks", occupied.hasTasks() ? 1 : 0);
        checkFree("timers", occupied.timers());
        Stats stats = server.stats();
        checkFree("connections open by the stats", stats.connections());
        checkFree("accepted and not closed", stats.accepted() - stats.closed());
        report.count("connections", stats.accepted());
        report.count("requests", stats.requests());
        report.count("lives");
        report.count("ended by " + ending);
    }

    private void checkFree(String what, long used) {
        report.check(used == 0, what, used + " at the end");
    }

    Occupancy occupancy() {
        return occupied;
    }

    boolean isEnding() {
        return begunToEnd;
    }

    boolean isOver() {
        return over;
    }

    /** Whether the machine was so slow that timeouts say nothing. */
    boolean isSlow() {
        return latest > SLOW_NANOS;
    }

    /** A client did not get the answer to a request that was handed over, while the server was ended. */
    void missed(String what) {
        missed.add(what);
    }

    static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
