package org.microhttp.checks.faults.chaos;

import java.util.ArrayList;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * One server, from the constructor to the end: a hundred clients use it for a while, it is ended in some way,
 * and then all that it used has to be free.
 */
final class ChaosLife {

    private static final int CLIENTS = 100;
    private static final long SECOND = 1_000_000_000L;

    /** With a hundred threads on few processors, one waits for its turn. */
    private static final long SLOW_NANOS = SECOND / 4;

    final ChaosLedger ledger;
    final ChaosLimits limits;
    final ChaosServer server;
    final ChaosHandler handler;
    final ChaosHands hands;
    final ChaosVerdict verdict;
    final Thread starter = new Thread(this::start, "chaos-start");
    private final ChaosLogger logger;
    private final ChaosWatch watch;
    private final ChaosEnding ending;
    private final Random random;
    private final Queue<String> missed = new ConcurrentLinkedQueue<>();
    private volatile boolean begunToEnd;
    private volatile boolean over;
    private volatile boolean interrupted;

    ChaosLife(ChaosLedger ledger, ChaosEnding ending, long seed) throws Exception {
        this.ledger = ledger;
        this.ending = ending;
        random = new Random(seed);
        limits = new ChaosLimits(random);
        ledger.begin("seed " + seed + ", " + ending + ", " + limits);
        logger = new ChaosLogger(ledger, limits, seed);
        server = new ChaosServer(limits, logger, this::handle, random);
        hands = new ChaosHands(ledger, limits, server);
        var api = new ChaosApi(ledger);
        handler = new ChaosHandler(ledger, server, hands, api);
        verdict = new ChaosVerdict(limits, hands, api);
        watch = new ChaosWatch(ledger, limits, server, hands);
    }

    private void handle(Request request, Consumer<Response> callback) {
        handler.handle(request, callback);
    }

    /** Serves for so long, then ends. */
    void run(long millis) throws Exception {
        starter.start();
        watch.start();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Thread(new ChaosClient(this, i, random.nextLong()), "chaos-client-" + i));
        }
        clients.forEach(Thread::start);
        starter.join(millis);
        ledger.check(starter.isAlive(), "start()", "has returned by itself");
        end();
        for (Thread client : clients) {
            client.join(TimeUnit.SECONDS.toMillis(60));
            ledger.check(!client.isAlive(), "client", client + " does not end");
        }
        watch.end();
        checkEnd();
    }

    private void start() {
        try {
            server.itself.start();
        } catch (Throwable t) {
            ledger.violation("start()", "throws " + t + ", " + t.getCause());
        }
        interrupted = Thread.currentThread().isInterrupted();
    }

    private void end() throws Exception {
        begunToEnd = true;
        long began = System.nanoTime();
        ending.begin(this);
        starter.join(ending.grace().plusSeconds(30).toMillis());
        long late = System.nanoTime() - began - ending.grace().toNanos();
        boolean soon = late < SECOND + watch.latest();
        ledger.check(soon, "time to end", late / 1_000_000 + " ms beyond the grace");
        new ChaosEnd(ledger, server).checkPort();
        over = true;
        new ChaosEnd(ledger, server).checkThreads();
    }

    private void checkEnd() throws Exception {
        boolean flag = ending == ChaosEnding.INTERRUPT;
        ledger.check(interrupted == flag, "interrupt flag", "is " + interrupted);
        int dropped = server.itself.stop(ChaosEnding.LONG);
        ledger.count("dropped", dropped);
        if (ending.isGraceful()) {
            ledger.check(dropped == 0, "dropped", dropped + " though there was time");
            missed.forEach(what -> ledger.violation("answer lost while leaving", what));
        }
        handler.end();
        logger.end();
        new ChaosEnd(ledger, server).check();
        ledger.count("connections", server.itself.stats().accepted());
        ledger.count("requests", server.itself.stats().requests());
        ledger.count("lives");
        ledger.count("ended by " + ending);
    }

    boolean isEnding() {
        return begunToEnd;
    }

    boolean isOver() {
        return over;
    }

    /** Whether the machine was so slow that timeouts say nothing. */
    boolean isSlow() {
        return watch.latest() > SLOW_NANOS;
    }

    /** A client did not get the answer to a request that was handed over, while the server was ended. */
    void missed(String what) {
        missed.add(what);
    }
}
