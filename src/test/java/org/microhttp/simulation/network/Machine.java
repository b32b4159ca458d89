package org.microhttp.simulation.network;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedSelectorException;
import java.util.*;

/**
 * A machine in memory: its clock, its network, and whose turn it is. Its time passes only when a call costs
 * some, or when all selectors wait. Nothing in it depends on anything but the seed and what the server does.
 * <p>
 * One thread runs at a time. That of a loop by itself is the only one: what happens in the world happens
 * inside its select. The loops of a group hand the running on in {@link #await}; so whoever runs may use all
 * of the machine.
 */
public final class Machine {

    private static final ThreadLocal<Machine> CURRENT = new ThreadLocal<>();

    /** How long a sleep is that nobody ends. */
    private static final long FOR_EVER = Long.MAX_VALUE;

    /** In place of a port: where a Unix domain socket listens, of which a machine has one. */
    public static final int UNIX = -1;

    private final Moments moments = new Moments();
    private final Map<Integer, List<SimulatedListener>> ports = new HashMap<>();
    private final List<SimulatedSelector> selectors = new ArrayList<>();
    private final Random random;
    private final long origin;
    private final Baton baton = new Baton(this);
    private final Costs costs;
    private Witness witness;
    private SimulatedListener inherited;
    private int nextPort = 1024;

    /** Nanoseconds since the machine began, and since 1970 when it did. */
    private long elapsed;
    private long epoch;

    /** Calls in their order, as one number: the same for the same story. */
    private long fingerprint = 17;

    /** Open files: what is there, and may be. */
    int descriptors;
    int maxDescriptors = Integer.MAX_VALUE;

    /** Of how many keys a select tells at most. */
    int mostReady = Integer.MAX_VALUE;

    /** How many of the moments have come that were planned. */
    private long happened;

    private boolean rested;
    private volatile boolean over;

    /** What a clock starts with, near the end of its range or not, and what calls cost. */
    public Machine(long seed, long origin, long epochMillis, Costs costs) {
        this.random = new Random(seed);
        this.origin = origin;
        this.epoch = epochMillis * 1_000_000;
        this.costs = costs;
    }

    /** Nanoseconds that pass in a call; of what all times are multiples that are planned. */
    public record Costs(int clock, int accept, int read, int write, int select, int grain) {
    }

    /** The one that the calling thread lives on. */
    static Machine current() {
        Machine machine = CURRENT.get();
        if (machine == null) throw new IllegalStateException("no machine is simulated on this thread");
        return machine;
    }

    /** Has the calling thread open what it opens on this machine; on none, with null. */
    public static void enter(Machine machine) {
        CURRENT.set(machine);
    }

    public void observe(Witness observer) {
        witness = observer;
    }

    public void limitDescriptors(int most) {
        maxDescriptors = most;
    }

    public void limitReady(int most) {
        mostReady = most;
    }

    public int descriptors() {
        return descriptors;
    }

    /** The time since the machine began, in nanoseconds. */
    public long now() {
        return elapsed;
    }

    /** What {@link System#nanoTime} would say. */
    public long nanoTime() {
        if (Thread.currentThread() instanceof Outsider outsider) return outsider.time(origin + elapsed);
        baton.await();
        elapsed += costs.clock;
        strike(Call.CLOCK, null);
        return origin + elapsed;
    }

    /** What time {@link #nanoTime} calls so. */
    public long toElapsed(long nanoTime) {
        return nanoTime - origin;
    }

    public long currentTimeMillis() {
        strike(Call.WALL, null);
        return wallMillis();
    }

    public long wallMillis() {
        return (epoch + elapsed) / 1_000_000;
    }

    /** Has the wall's clock jump, which the other does not do. */
    public void setWall(long jumpMillis) {
        epoch += jumpMillis * 1_000_000;
    }

    /** The whole machine stands still for so long, and nobody notices but by the clock. */
    public void pass(long nanos) {
        elapsed += nanos;
    }

    /** Has something happen so much later than now. */
    public void later(long nanos, Runnable action) {
        long time = elapsed + Math.max(0, nanos);
        moments.add(-Math.floorDiv(-time, costs.grain) * costs.grain, action);
    }

    /** Has the time pass that a call takes. */
    void spend(Call call) {
        elapsed += switch (call) {
            case ACCEPT -> costs.accept;
            case READ -> costs.read;
            case WRITE -> costs.write;
            default -> 0;
        };
    }

    /** Adds a call, and what came of it, to the fingerprint. */
    public void note(Call call, Peer peer, long value) {
        int who = peer == null ? 0 : peer.number();
        note((((long) call.ordinal() << 32 | who) * 31 + value) * 31 + elapsed);
    }

    /** Adds a number to the fingerprint. */
    public void note(long value) {
        fingerprint = (fingerprint ^ value) * 0x9E3779B97F4A7C15L;
        fingerprint ^= fingerprint >>> 29;
    }

    public long fingerprint() {
        return fingerprint;
    }

    void strike(Call call, Peer peer) {
        if (witness != null) witness.strike(call, peer);
    }

    void strikeOrFail(Call call, Peer peer) throws IOException {
        if (witness != null) witness.strikeOrFail(call, peer);
    }

    void dispatching(SimulatedKey key) {
        if (witness != null) witness.onDispatch(key);
    }

    void dispatched(SimulatedKey key) {
        if (witness != null) witness.onDispatched(key);
    }

    void accepting(SimulatedListener listener, Peer peer) {
        if (witness != null) witness.onAccept(listener, peer);
    }

    <T> void shuffle(List<T> all) {
        if (all.size() > 1) Collections.shuffle(all, random);
    }

    /** Says which selector of the machine it is. */
    int add(SimulatedSelector selector) {
        selectors.add(selector);
        return selectors.size() - 1;
    }

    /** Takes a port; -1 if somebody has it who does not share it. */
    int bind(SimulatedListener listener, int wanted, boolean shared) {
        int port = wanted == 0 ? nextPort++ : wanted;
        List<SimulatedListener> others = ports.computeIfAbsent(port, p -> new ArrayList<>());
        boolean free = others.isEmpty() || shared && others.stream().allMatch(SimulatedListener::isShared);
        if (!free) return -1;
        others.add(listener);
        return port;
    }

    void unbind(SimulatedListener listener) {
        ports.values().forEach(all -> all.remove(listener));
    }

    /** Has a socket that listens be there before the server is, as its standard input. */
    public void inherit(SocketAddress address, int backlog) throws IOException {
        var listener = new SimulatedListener(this, address instanceof UnixDomainSocketAddress);
        listener.bind(address, backlog);
        inherited = listener;
    }

    /** The socket that was there before; null for none. */
    public SimulatedListener inherited() {
        return inherited;
    }

    /** Who listens on a port. */
    public List<SimulatedListener> listeners(int port) {
        return ports.getOrDefault(port, List.of());
    }

    /** A client connects: it waits in the queue of one of those that listen; or, if false, is refused. */
    public boolean connect(int port, Peer peer) {
        List<SimulatedListener> open = listeners(port);
        int spread = peer.number() * 0x9E3779B9 >>> 8;
        return !open.isEmpty() && open.get(spread % open.size()).offer(peer);
    }

    /** So many loops are about to start, each on a thread of its own. */
    public void expect(int loops) {
        baton.expect(loops);
    }

    /** Nothing more is of interest: whoever waits goes on to its end. */
    public void end() {
        over = true;
        moments.clear();
    }

    public long happened() {
        return happened;
    }

    public boolean isOver() {
        return over;
    }

    /** A selector is closed, so its loop has ended. */
    void closed(SimulatedSelector selector) {
        if (witness != null) witness.onEnd(selector);
        baton.leave();
    }

    /** Waits for keys, a wake-up, an interrupt or a time, and lets the world go on meanwhile. */
    void await(SimulatedSelector selector, long nanos, boolean forEver) {
        elapsed += costs.select;
        if (witness != null) witness.onTurnEnd(selector);
        rested = false;
        baton.rest(selector, forEver ? FOR_EVER : elapsed + nanos);
        if (over) throw new ClosedSelectorException();
        if (witness != null) witness.onTurnBegin(selector);
    }

    /** Lets happen what is due, and says who may go on; passes the time until somebody may. */
    Baton.Runner next(List<Baton.Runner> waiting) {
        while (true) {
            while (moments.next() <= elapsed) {
                rested = false;
                happened++;
                moments.take().run();
            }
            Baton.Runner runner = pick(waiting);
            if (runner != null) return runner;
            advance(waiting);
        }
    }

    private Baton.Runner pick(List<Baton.Runner> waiting) {
        int count = 0;
        Baton.Runner picked = null;
        for (Baton.Runner runner : waiting) {
            if (over || runner.mayRun(elapsed)) {
                count++;
                if (picked == null || random.nextInt(count) == 0) picked = runner;
            }
        }
        return picked;
    }

    private void advance(List<Baton.Runner> waiting) {
        long until = moments.next();
        for (Baton.Runner runner : waiting) {
            until = Math.min(until, runner.until);
        }
        if (!rested && witness != null) witness.onRest(until);
        rested = true;
        if (over) return;
        if (until == FOR_EVER) {
            end();
            return;
        }
        elapsed = Math.max(elapsed, until);
    }
}
