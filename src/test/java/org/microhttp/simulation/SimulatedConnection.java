package org.microhttp.simulation;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.SplittableRandom;
import org.microhttp.simulation.network.Peer;
import org.microhttp.simulation.network.SimulatedSelector;

/**
 * One connection, from before it is one: what the kernel holds for both sides. What the client does is the
 * {@link Client}'s, and what the server must do is a matter of {@link Promises}.
 */
final class SimulatedConnection extends Peer {

    private static final SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

    final World world;
    final int number;
    final ClientPlan plan;
    final Client client;
    final Promises promises;
    final BufferedBytes kept;
    final SplittableRandom random;
    private final SocketAddress address;

    /** Whether it comes from where nobody may. */
    final boolean stranger;

    /** Of what the client sends: how much is here, and was read; whether its end, or a reset, is here. */
    long arrived, read;
    boolean inputEnded, reset;

    /** Of what the server sends: how much the socket has taken, and the client has read of that. */
    long written, taken;
    boolean outputEnded;

    /** How much a file is asked for that is sending some of itself; else 0. */
    private long wantedOfFile;

    /** The loop that it must be with; -1 if that is not known. */
    int placed = -1;

    /** Whether the server has accepted it, has closed its channel, and has no descriptor for it any more. */
    boolean accepted, closed, freed;

    /** With which codes it was refused without an answer: one of these. */
    Set<String> reasons = Set.of();

    /** Whether the client got a reset. */
    boolean clientReset;

    /** What it did in a turn, and how much it was given since the last, and before: answers, requests. */
    final TurnLimits.Work work = new TurnLimits.Work();
    int givenLately, givenBefore;

    /** Whether it is on the world's list of those that something has happened to. */
    boolean touched;

    /** Whose it is, from when it is registered, and on which thread. */
    SimulatedSelector selector;
    private Thread thread;

    SimulatedConnection(World world, int number, ClientPlan plan) {
        this.world = world;
        this.number = number;
        this.plan = plan;
        ListenConditions door = world.conditions.door();
        var origin = new SplittableRandom(plan.seed() * 31 + 8);
        stranger = door.hasStranger(origin);
        address = door.address(number, stranger, origin);
        random = new SplittableRandom(plan.seed() * 31 + 7);
        client = new Client(this);
        promises = new Promises(this);
        kept = new BufferedBytes(this);
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    /** Where it is for the server and its log, which see no name that a client has chosen for its socket. */
    SocketAddress seen() {
        return address instanceof UnixDomainSocketAddress ? UNNAMED : address;
    }

    /** Who sends the requests, as far as the server can know. */
    SocketAddress client() {
        SocketAddress told = plan.preface().client();
        return told == null ? seen() : told;
    }

    int room() {
        return (int) Math.max(0, world.conditions.network().sendBuffer() - (written - taken));
    }

    @Override
    public boolean isReadable() {
        return !closed && (arrived > read || inputEnded || reset);
    }

    @Override
    public boolean isWritable() {
        return !closed && (room() > 0 || reset || client.isGone());
    }

    @Override
    protected int read(ByteBuffer target) throws IOException {
        world.turns.touch(this);
        if (reset) {
            tell("reads the reset");
            promises.onFailure();
            throw new IOException("Connection reset");
        }
        int count = cut(target.remaining(), arrived - read);
        if (target.remaining() == 0) return 0;
        if (count == 0) {
            int result = inputEnded ? -1 : 0;
            tell("reads " + result);
            promises.onRead(result);
            return result;
        }
        target.put(plan.text(), (int) read, count);
        read += count;
        tell("reads " + count);
        promises.onRead(count);
        client.onSpace();
        return count;
    }

    @Override
    protected int write(ByteBuffer source) throws IOException {
        world.turns.touch(this);
        if (reset) {
            promises.onFailure();
            throw new IOException("Broken pipe");
        }
        long wanted = Math.max(source.remaining(), wantedOfFile);
        int room = client.isGone() ? source.remaining() : room();
        int count = cut(source.remaining(), room);
        tell("writes " + count + " of " + wanted);
        promises.onWrite(source, count, wanted);
        world.bound.onWritten(this, count);
        written += count;
        if (client.isGone()) {
            client.onLost();
        } else {
            client.onWritten();
        }
        return count;
    }

    /** A file sends a piece of itself, being asked for so much. */
    long transfer(ByteBuffer piece, long wanted) throws IOException {
        wantedOfFile = wanted;
        try {
            return channel().write(piece);
        } finally {
            wantedOfFile = 0;
        }
    }

    /** As much as is wanted and there, or, at times, less. */
    int cut(int wanted, long there) {
        int most = (int) Math.min(wanted, there);
        if (most < 2 || random.nextInt(100) >= world.conditions.network().partial()) return most;
        return random.nextInt(8) == 0 ? most - 1 : 1 + random.nextInt(most);
    }

    @Override
    protected void outputEnded() {
        world.turns.touch(this);
        tell("ends output");
        promises.onOutputEnd();
        outputEnded = true;
        client.onWritten();
    }

    @Override
    protected void closing(boolean dropUnsent) {
        world.turns.touch(this);
        tell(dropUnsent ? "closes, and drops what is unsent" : "closes");
        promises.onClose(dropUnsent);
        closed = true;
        outputEnded = true;
        if (dropUnsent) resetClient();
        client.onWritten();
    }

    @Override
    protected void freed() {
        freed = true;
        if (arrived > read) {
            promises.onLoss();
            resetClient();
        }
    }

    /** Whether its loop acts, and nobody else. */
    boolean isOnItsThread() {
        return Thread.currentThread() == thread && !world.lending.isElsewhere();
    }

    /** What the client has not read is gone. */
    void resetClient() {
        if (clientReset) return;
        clientReset = true;
        tell("client is reset");
        client.onWritten();
    }

    @Override
    protected void refused() {
        world.ledger.arrivals.onRefused(this);
        tell("refused");
        closed = true;
        freed = true;
        resetClient();
    }

    @Override
    protected void registered(SimulatedSelector loop) {
        if (stranger) broken("a stranger is let in");
        selector = loop;
        thread = Thread.currentThread();
        promises.onRegistered();
        world.ledger.arrivals.onRegistered(this, loop.index);
        world.turns.touch(this);
    }

    /** So much more of what the client sends is here; to nobody, if the server has closed. */
    void arrive(int count) {
        if (freed) {
            resetClient();
            return;
        }
        world.turns.touch(this);
        arrived += count;
        tell("gets " + count);
        changed();
    }

    void endInput() {
        world.turns.touch(this);
        inputEnded = true;
        tell("gets the end");
        changed();
    }

    void resetInput() {
        world.turns.touch(this);
        reset = true;
        tell("gets a reset");
        changed();
    }

    void tell(String text) {
        if (world.story.told) world.story.tell(world.machine.now(), number, text);
    }

    void broken(String what) {
        world.broken(this, what);
    }

    void brokenIf(boolean wrong, String what) {
        if (wrong) broken(what);
    }
}
