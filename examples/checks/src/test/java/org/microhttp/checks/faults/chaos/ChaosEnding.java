package org.microhttp.checks.faults.chaos;

import java.time.Duration;

/** How a server is ended. */
public enum ChaosEnding {

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
        ChaosServer server = life.server;
        switch (this) {
            case STOP -> server.itself.stop();
            case CLOSE -> server.itself.close();
            case STOP_IN_HANDLER -> life.handler.order(server.itself::stop);
            case INTERRUPT -> interrupt(life.starter);
            case WITHOUT_GRACE, SHORT_GRACE, LONG_GRACE -> server.itself.stop(grace());
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
        int dropped = life.server.itself.stop(LONG);
        life.ledger.check(dropped == 0, "stop in a handler", "returns " + dropped);
    }

    private static void leaveTwice(ChaosLife life) throws InterruptedException {
        int[] dropped = new int[2];
        var other = new Thread(() -> dropped[0] = life.server.itself.stop(LONG), "chaos-other");
        other.start();
        dropped[1] = life.server.itself.stop(LONG);
        other.join();
        boolean same = dropped[0] == dropped[1];
        life.ledger.check(same, "two stops", "dropped " + dropped[0] + " and " + dropped[1]);
    }

    private static void stopWhileLeaving(ChaosServer server) throws InterruptedException {
        var leaving = new Thread(() -> server.itself.stop(LONG), "chaos-leaving");
        leaving.start();
        leaving.join(50);
        server.itself.stop();
        leaving.join();
    }
}
