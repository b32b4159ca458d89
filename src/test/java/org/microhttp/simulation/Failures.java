package org.microhttp.simulation;

import java.util.*;
import org.microhttp.LogEntry;

/**
 * What the program throws, or says that it has failed with: each is logged once, as {@code handler_error} of
 * its request. From any thread: a loop of a group that has ended releases what is left while others run.
 */
final class Failures {

    /** Of a request line that is longer the log need not have anything. */
    private static final int SHORT = 1000;

    /** One of them; of a request of which method and target may not be known. */
    private static final class Failure {

        private final SimulatedConnection life;
        private final Throwable cause;
        private final String method, target;
        private final boolean owed;
        private int logged;

        private Failure(SimulatedConnection life, Throwable cause, String method, String target) {
            this.life = life;
            this.cause = cause;
            this.method = method;
            this.target = target;
            // when the loop has ended only the program hears of it
            owed = life.selector.isOpen();
        }

        /** Whether an entry has what is known, or nothing if that is empty, or the line is long. */
        private boolean isSame(String known, String logged) {
            boolean isLong = method.length() + target.length() > SHORT;
            return logged == null ? known.isEmpty() || isLong : logged.equals(known);
        }
    }

    private final World world;
    private final List<Failure> all = new ArrayList<>();
    private final Map<Throwable, Failure> byCause = new IdentityHashMap<>();

    /** How many of those are not logged yet whose cause is the library's own exception. */
    private int foreign;

    Failures(World world) {
        this.world = world;
    }

    /** Something is about to fail with this cause, which it returns. */
    <T extends Throwable> T make(HandledRequest asked, T cause) {
        return make(asked.life, cause, asked.request.method(), asked.request.target());
    }

    synchronized <T extends Throwable> T make(SimulatedConnection life, T cause, String method,
            String target) {
        var failure = new Failure(life, cause, method, target);
        all.add(failure);
        byCause.put(cause, failure);
        return cause;
    }

    /** What the program has returned is wrong, as the library is about to find. */
    void expect() {
        foreign++;
    }

    /** The log has one, of the connection of that client; null if that is not known. */
    synchronized void onLogged(SimulatedConnection life, Throwable cause, LogEntry... entries) {
        boolean sure = world.conditions.network().faults() == 0;
        Failure failure = byCause.get(cause);
        if (failure == null) {
            foreign--;
            world.brokenIf(sure && foreign < 0, "a handler_error of nobody: " + cause);
            return;
        }
        failure.logged++;
        if (failure.logged > 1) failure.life.broken("is logged twice: " + cause);
        boolean same = (life == null || life == failure.life)
                && failure.isSame(failure.method, EventCheck.value(entries, "method"))
                && failure.isSame(failure.target, EventCheck.value(entries, "target"));
        if (sure && !same) failure.life.broken("a wrong handler_error: " + Arrays.toString(entries));
    }

    /** At the end of a world whose log is whole. */
    void check() {
        for (Failure failure : all) {
            if (failure.owed && failure.logged == 0) failure.life.broken("is not logged: " + failure.cause);
        }
        boolean sure = world.conditions.network().faults() == 0;
        world.brokenIf(sure && foreign != 0, foreign + " wrong fields are not logged");
    }
}
