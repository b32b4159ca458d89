package org.microhttp.checks.endurance;

import java.time.Duration;
import org.microhttp.Server;

/** How a server is ended. */
enum ChaosEnding {

    STOP, CLOSE, STOP_IN_HANDLER, INTERRUPT, WITHOUT_GRACE, SHORT_GRACE, LONG_GRACE, LEAVE_IN_HANDLER,
    TWO_AT_ONCE, STOP_WHILE_LEAVING;

    /** Longer than every timeout, and than a busy machine needs for all that the clients have sent. */
    static final Duration LONG = Duration.ofMinutes(1);

    private static final Duration SHORT = Duration.ofMillis(100);

    /** Whether every request that is here is answered before the end. */
    boolean isGraceful() {
        return this == LONG_GRACE || this == LEAVE_IN_HANDLER || this == TWO_AT_ONCE;
    }

    /** How long the server may take at most, by its promise. */
    Duration grace() {
        return isGraceful() ? LONG : this == SHORT_GRACE ? SHORT : Duration.ZERO;
    }

    /** Begins to end it; returns when this thread has no more to do, but to wait. */
    void begin(ChaosLife life) throws InterruptedException {
        Server server = life.server;
        switch (this) {
            case STOP -> server.stop();
            case CLOSE -> server.close();
            case STOP_IN_HANDLER -> life.handler.order(server::stop);
            case INTERRUPT -> interrupt(life.starter);
            case WITHOUT_GRACE, SHORT_GRACE, LONG_GRACE -> server.stop(grace());
            case LEAVE_IN_HANDLER -> life.handler.order(() -> leaveInHandler(life));
            case TWO_AT_ONCE -> leaveTwice(life);
            case STOP_WHILE_LEAVING -> stopWhileLeaving(server);
        }
        if (this == STOP || this == CLOSE) {
            life.handler.stopped();
        }
    }

    /** As often as it takes: one that comes while a handler runs is taken for the handler's own. */
    private static void interrupt(Thread starter) throws InterruptedException {
        for (int i = 0; i < 100 && starter.isAlive(); i++) {
            starter.interrupt();
            starter.join(10);
        }
    }

    private static void leaveInHandler(ChaosLife life) {
        int dropped = life.server.stop(LONG);
        life.report.check(dropped == 0, "stop in a handler", "returns " + dropped);
    }

    private static void leaveTwice(ChaosLife life) throws InterruptedException {
        int[] dropped = new int[2];
        var other = new Thread(() -> dropped[0] = life.server.stop(LONG), "chaos-other");
        other.start();
        dropped[1] = life.server.stop(LONG);
        other.join();
        boolean same = dropped[0] == dropped[1];
        life.report.check(same, "two stops", "dropped " + dropped[0] + " and " + dropped[1]);
    }

    private static void stopWhileLeaving(Server server) throws InterruptedException {
        var leaving = new Thread(() -> server.stop(LONG), "chaos-leaving");
        leaving.start();
        leaving.join(50);
        server.stop();
        leaving.join();
    }
}
