package org.microhttp.simulation;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.*;
import org.microhttp.Handler;
import org.microhttp.Inside;
import org.microhttp.Options;
import org.microhttp.simulation.network.Machine;

/**
 * A server and all its clients, from the first to the last: made from a seed, lived on a {@link Machine}, and
 * watched at every step, in {@link Turns}. Nothing in it depends on anything but its {@link Scenario} and the
 * library. Here is what its parts ask of each other, and how the server's end is brought about.
 */
final class World {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final long SECOND = 1_000_000_000L, MILLI = 1_000_000;

    final Scenario scenario;
    final Conditions conditions;
    final Machine machine;
    final Story story;
    final Tally tally = new Tally();
    final TurnLimits bound = new TurnLimits(this);
    final ServerEnd ending;
    final long socketTimeout, requestTimeout, handlerTimeout, streamTimeout, resolution, minReceived;
    SimulatedServer server;
    TimerTicks ticks;
    final WorldHandler handling = new WorldHandler(this);
    final Failures failures = new Failures(this);
    private final ErrorFields errorFields;
    final MachineFaults faults;
    final EventCheck events;
    final SpinCheck idleness = new SpinCheck(this);
    final Ledger ledger;
    final Turns turns = new Turns(this);
    final WallClock wall = new WallClock(this);
    final ClockReadings looks = new ClockReadings();
    final BodyTracking lending = new BodyTracking(this);
    private final ShutdownReport aftermath = new ShutdownReport(this);
    final ClientAddresses callers = new ClientAddresses(this);
    final ListenSocket doorway;
    final List<SimulatedConnection> lives = new ArrayList<>();

    /** What broke, and to whom; null and 0 for nothing and nobody. */
    private String broken;
    private int brokenClient;

    /** Whether the server runs, was stopped, and was interrupted. */
    boolean serving, stopped, interrupted;

    /** Whether it leaves, and by when it must have ended. */
    boolean leaving;
    long leaveEnd;

    World(Scenario scenario, boolean told) throws IOException {
        this.scenario = scenario;
        var random = new SplittableRandom(scenario.seed());
        conditions = scenario.conditions(random.split());
        story = new Story(told);
        long origin = Long.MAX_VALUE - random.nextLong(200 * SECOND);
        machine = new Machine(random.nextLong(), origin, 1_700_000_000_000L + random.nextLong(1L << 38),
                conditions.costs());
        socketTimeout = conditions.settings().socketTimeout().toNanos();
        requestTimeout = conditions.settings().requestTimeout().toNanos();
        handlerTimeout = conditions.settings().handlerTimeout().toNanos();
        streamTimeout = conditions.settings().streamTimeout().toNanos();
        minReceived = requestTimeout / MILLI * conditions.settings().receiveRate() / 1000;
        resolution = conditions.settings().resolution().toNanos();
        ending = new ServerEnd(this, random.split());
        faults = new MachineFaults(this, random.split());
        errorFields = new ErrorFields(this, random.split());
        events = new EventCheck(this);
        ledger = new Ledger(this);
        doorway = new ListenSocket(this);
        wall.planPauses(random.split());
        ClientInputs items = scenario.items(conditions.limits());
        for (int i = 1; i <= conditions.clients(); i++) {
            long seed = scenario.seed() * 1_000_003 + i * 7919L;
            var life = new SimulatedConnection(this, i, ClientPlan.random(seed, items, conditions,
                    scenario.most()));
            lives.add(life);
            callers.add(life);
        }
    }

    /** What was broken; null if all was kept. */
    String broken() {
        return broken;
    }

    /** Lives all of it, and looks at the end what has become of it. */
    void run() throws Exception {
        long cpu = THREADS.getCurrentThreadCpuTime();
        Machine.enter(machine);
        try {
            prepare();
            serving = true;
            start();
        } finally {
            serving = false;
            Machine.enter(null);
        }
        try {
            check();
        } finally {
            doorway.remove();
        }
        tally.worlds++;
        tally.cpu += THREADS.getCurrentThreadCpuTime() - cpu;
        tally.nanos += machine.now();
        tally.count(conditions, lives);
        for (SimulatedConnection life : lives) {
            if (life.accepted) tally.requestsOfOne(life.promises.handed);
        }
    }

    private void prepare() throws IOException, ReflectiveOperationException {
        machine.limitDescriptors(conditions.descriptors());
        machine.limitReady(conditions.mostReady());
        Options options = Inside.withClock(doorway.open(conditions.options()), machine::nanoTime,
                machine::currentTimeMillis);
        boolean hooked = conditions.additions().errors() != ErrorFields.Kind.NONE;
        if (hooked) options = options.withErrorHandler(errorFields);
        server = new SimulatedServer(conditions, options, events,
                Handler.receiving(handling::receiver, handling));
        for (SimulatedConnection life : lives) {
            if (scenario.has(life.number)) machine.later(life.plan.start(), life.client::connect);
        }
        ticks = new TimerTicks(this);
        ending.plan();
        machine.observe(turns);
        machine.expect(conditions.loops());
    }

    private void check() throws Exception {
        boolean flag = Thread.interrupted();
        if (flag != interrupted) broken("an interrupt flag is " + flag);
        if (broken == null) doorway.checkEnd();
        if (broken == null) aftermath.answer();
        if (broken == null) lending.checkEnd();
        if (broken == null) ledger.checkEnd(ending.returned(), aftermath.dropped());
        if (broken == null) aftermath.check();
        if (broken == null) events.check();
    }

    private void start() {
        try {
            server.start();
        } catch (IllegalStateException e) {
            if (broken == null) broken("the server failed: " + e.getCause());
        }
    }

    int port() {
        return server.itself.getPort();
    }

    SimulatedConnection life(int number) {
        return lives.get(number - 1);
    }

    boolean isBroken() {
        return broken != null;
    }

    /** All about what broke, for who has to find out why. */
    String report() {
        String plan = brokenClient == 0 ? "" : life(brokenClient).plan + "%n".formatted();
        return "%s%n%s%s".formatted(conditions, plan, story.of(brokenClient));
    }

    /** A promise was broken, to one client or, with null, to nobody in particular; only the first counts. */
    void broken(SimulatedConnection life, String what) {
        if (broken != null) return;
        brokenClient = life == null ? 0 : life.number;
        String whose = life == null ? "" : "c" + life.number + ": ";
        broken = whose + what + ", at " + machine.now() / 1e6 + " ms";
        tell("BROKEN: " + what);
        machine.end();
    }

    void broken(String what) {
        broken(null, what);
    }

    void brokenIf(boolean wrong, String what) {
        if (wrong) broken(what);
    }

    void tell(String text) {
        if (story.told) story.tell(machine.now(), 0, text);
    }

    /** One loop, and no call that fails: then it is known what each look at the clock was for. */
    boolean isPlain() {
        return conditions.loops() == 1 && conditions.network().faults() == 0;
    }

    /** Whether somebody has told the loops to end at once. */
    boolean isEndedAtOnce() {
        return stopped || interrupted;
    }

    /** Whether the loops close what is left. */
    boolean isEnding() {
        return isEndedAtOnce() || leaving && machine.now() >= leaveEnd || !serving;
    }

    /** Does this as a thread that is none of the server's. */
    void elsewhere(Runnable action) {
        lending.setElsewhere(true);
        try {
            Inside.elsewhere(server.loops, action);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            lending.setElsewhere(false);
        }
    }

    /** Ends it at once, by one of the two calls that do. */
    void stop(boolean close) {
        // before the call, for who closes waits in it
        stopped = true;
        if (close) {
            server.itself.close();
        } else {
            server.itself.stop();
        }
    }

    /** Ends it at once, by an interrupt of the thread that runs the first loop. */
    void interrupt() {
        server.interrupt();
        interrupted = true;
        // the first loop of a group takes the others along when it has ended
        stopped = conditions.loops() == 1;
    }

    /** The server begins to leave. */
    void onLeave(long grace) {
        leaving = true;
        leaveEnd = machine.now() + grace;
        lives.forEach(life -> {
            if (life.selector != null && !life.closed) turns.touch(life);
        });
    }

    void onHanded(HandledRequest asked) {
        ledger.onHanded(asked);
    }

    /** The handler gives its first answer, or fails. */
    void onGiven(HandledRequest asked, boolean failure) {
        asked.life.promises.onGiven(asked, failure);
        ledger.onGiven(asked);
    }

    void onAcceptFailed() {
        ledger.onAcceptFailed();
        bound.onAcceptFailed();
    }
}
