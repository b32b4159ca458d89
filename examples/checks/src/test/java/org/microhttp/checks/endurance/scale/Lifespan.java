package org.microhttp.checks.endurance.scale;

import java.io.IOException;
import org.microhttp.simulation.network.Machine;
import org.microhttp.simulation.network.SimulatedSelector;
import org.microhttp.checks.endurance.scale.Meter.Part;
import org.microhttp.testing.Heap;

/**
 * A server from its begin to its end, with so many connections at a time, and what that costs. By the
 * machine's clock, in seconds:
 * <pre>
 *     0  some connect, one in a tick
 *    12  the others connect
 *    13  turns in which nothing is due
 *    14  one connection in ten asks a request, one after the other, until 74
 *    74  one asks another, and its turn takes longer than a tick
 *    75  the deadlines of those that came first fire, one in a tick
 *    87  those of all others fire that have not asked; until 150 those that have
 *   160  all connect once more
 *   170  the server leaves
 * </pre>
 */
final class Lifespan {

    /** Of ten connections one asks, and another may be one that comes first. */
    private static final int TENTH = 10;

    private static final int MOST_TICKS = 100;
    private static final int IDLE_TURNS = 2_000;
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long MINUTE = 60_000 * MILLI;
    private static final long LONG_TURN = 150 * MILLI;

    /** A prime: they ask in another order than that in which they have connected. */
    private static final long STRIDE = 7_919;

    final int connections;
    final Meter meter = new Meter();
    private final int askers;
    private final int ticks;
    private final boolean weighed;

    // let go of at the end: what was measured is kept
    private Machine machine = new Machine(1, 0, 0, new Machine.Costs(0, 0, 0, 0, 0, 1));
    private Server server;
    private Idler[] idlers;
    private SimulatedSelector selector;

    private boolean slow;
    private int asking;
    private int asked;
    private int answered;
    private int registered;
    private int closed;
    private int freed;
    private long weightBefore;
    private long weight;

    /** Weighs connections only if asked to, for that takes a while. */
    private Lifespan(int connections, boolean bare, boolean weighed) throws IOException {
        this.connections = connections;
        this.weighed = weighed;
        askers = connections / TENTH;
        ticks = Math.min(MOST_TICKS, askers);
        idlers = new Idler[connections];
        makeIdlers();
        Machine.enter(machine);
        int uses = 2 * connections + askers + 1;
        server = bare ? new BareServer(machine, connections, uses)
                : new Server.OfLibrary(machine, connections);
    }

    private void makeIdlers() {
        for (int i = 0; i < connections; i++) {
            idlers[i] = new Idler(this);
        }
    }

    /** Has the compiler do its work before anything is measured. */
    static void warmUp(int connections, int lives) throws IOException {
        for (int i = 0; i < lives; i++) {
            live(connections, false, false);
            live(connections, true, false);
        }
    }

    /** Lives one, of the library or of the bare server. */
    static Lifespan live(int connections, boolean bare, boolean weighed) throws IOException {
        var life = new Lifespan(connections, bare, weighed);
        life.run();
        return life;
    }

    private void run() throws IOException {
        plan();
        machine.observe(meter);
        machine.expect(1);
        weightBefore = weigh();
        server.run();
        meter.enter(null);
        Machine.enter(null);
        checkEnd();
        machine = null;
        server = null;
        idlers = null;
        selector = null;
    }

    boolean isWeighed() {
        return weighed;
    }

    /** Bytes of heap for each idle connection, with what the network has for it. */
    double weightOfOne() {
        return (double) weight / connections;
    }

    /** How many events a part has. */
    int events(Part part) {
        return switch (part) {
            case ACCEPTING -> connections - ticks;
            case IDLE_TURNS -> IDLE_TURNS;
            case ASKING -> askers;
            case LONG_TURN, LEAVING -> connections;
            case ORDINARY_TICKS -> ticks;
            case MOST_DEADLINES -> connections - askers - ticks;
        };
    }

    private void plan() {
        for (int i = 0; i < ticks; i++) {
            Idler first = idlers[i * TENTH + 1];
            machine.later(i * Server.TICK.toNanos(), () -> connect(first));
        }
        at(12_000, () -> begin(Part.ACCEPTING, this::connectOthers));
        at(13_000, () -> begin(Part.IDLE_TURNS, () -> turnIdly(IDLE_TURNS)));
        at(14_000, () -> begin(Part.ASKING, this::askNext));
        at(74_200, this::weighIdle);
        at(74_400, () -> begin(Part.LONG_TURN, this::askSlowly));
        at(74_800, () -> begin(Part.ORDINARY_TICKS, () -> checkClosed(0)));
        at(86_000, () -> begin(Part.MOST_DEADLINES, () -> checkClosed(ticks)));
        at(88_000, () -> begin(null, () -> checkClosed(connections - askers)));
        at(160_000, this::connectAgain);
        at(170_000, () -> begin(Part.LEAVING, this::leave));
    }

    private void at(long millis, Runnable action) {
        machine.later(millis * MILLI, action);
    }

    /** What begins a part belongs to none. */
    private void begin(Part part, Runnable action) {
        meter.enter(null);
        action.run();
        meter.enter(part);
    }

    private void connect(Idler idler) {
        if (!machine.connect(server.port(), idler)) throw new IllegalStateException("the queue is full");
    }

    private void connectOthers() {
        for (int i = 0; i < connections; i++) {
            boolean here = i % TENTH == 1 && i / TENTH < ticks;
            if (!here) connect(idlers[i]);
        }
    }

    private void turnIdly(int left) {
        if (left == 0) {
            meter.enter(null);
            return;
        }
        selector.wakeup();
        machine.later(MICRO, () -> turnIdly(left - 1));
    }

    private void askNext() {
        if (asking == askers) {
            meter.enter(null);
            return;
        }
        idlers[(int) (TENTH * (asking * STRIDE % askers))].ask();
        asking++;
        machine.later(MINUTE / askers, this::askNext);
    }

    private void weighIdle() {
        check(answered == askers, "not all are answered");
        check(registered == connections, "not all are accepted");
        weight = weigh() - weightBefore;
    }

    private long weigh() {
        return weighed ? Heap.live() : 0;
    }

    private void askSlowly() {
        slow = true;
        idlers[0].ask();
    }

    private void connectAgain() {
        checkClosed(connections);
        makeIdlers();
        for (Idler idler : idlers) {
            connect(idler);
        }
    }

    private void leave() {
        check(registered == 2 * connections && closed == connections, "not all are idle");
        server.leave();
        selector.wakeup();
    }

    private void checkClosed(int expected) {
        check(closed == expected, closed + " deadlines have fired, and not " + expected);
    }

    private void checkEnd() {
        check(asked == askers + 1 && answered == asked, "not all are answered");
        check(closed == 2 * connections && freed == closed, "not all are closed");
    }

    private static void check(boolean kept, String otherwise) {
        if (!kept) throw new IllegalStateException(otherwise);
    }

    // What clients tell.

    void onRegistered(SimulatedSelector by) {
        selector = by;
        registered++;
    }

    void onAsked() {
        asked++;
    }

    void onAnswered() {
        answered++;
        if (slow) machine.pass(LONG_TURN);
        slow = false;
    }

    void onClosing() {
        closed++;
    }

    void onFreed() {
        freed++;
    }
}
