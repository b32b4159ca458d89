package org.microhttp.simulation.network;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.*;
import java.util.function.Consumer;

/**
 * A selector whose waiting is the passing of the machine's time. Level-triggered, as that of Linux: a key is
 * looked at again until its channel is ready for nothing that it is watched for. A cancelled key is flushed
 * before and behind the waiting, and a channel keeps its descriptor until then.
 */
public final class SimulatedSelector extends AbstractSelector {

    /** Of which it is a part. */
    final Machine machine;

    /** Which of the machine's selectors it is, from 0. */
    public final int index;

    private final Set<SimulatedKey> keys = new LinkedHashSet<>();
    private final Set<SelectionKey> keyView = Collections.unmodifiableSet(keys);
    private final List<SimulatedKey> candidates = new ArrayList<>();
    private final List<SimulatedKey> ready = new ArrayList<>();
    private int numbers;
    private volatile boolean woken;

    /** What the loop does with keys; a select with another action is one inside a turn. */
    private Consumer<SelectionKey> usual;

    public SimulatedSelector(Machine machine) {
        super(SimulatedProvider.INSTANCE);
        this.machine = machine;
        index = machine.add(this);
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        if (!isOpen()) throw new ClosedSelectorException();
        Peer peer = channel instanceof SimulatedChannel c ? c.peer : null;
        machine.strike(Call.REGISTER, peer);
        var key = new SimulatedKey(this, channel, numbers++);
        key.attach(attachment);
        keys.add(key);
        if (channel instanceof SimulatedChannel c) {
            c.key = key;
        } else {
            ((SimulatedListener) channel).key = key;
        }
        key.watch(ops);
        if (peer != null) peer.registered(this);
        return key;
    }

    /** What has changed may make a key ready. */
    void lookAt(SimulatedKey key) {
        if (key.candidate || !isOpen()) return;
        key.candidate = true;
        candidates.add(key);
    }

    public boolean isWoken() {
        return woken;
    }

    /** Whether there is a key to select; forgets those that are not ready. */
    boolean hasReady() {
        int kept = 0;
        for (SimulatedKey key : candidates) {
            key.candidate = key.isValid() && key.look() != 0;
            if (key.candidate) candidates.set(kept++, key);
        }
        candidates.subList(kept, candidates.size()).clear();
        return kept > 0;
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        // for so long at most, as those of the JDK
        return select(action, Math.min(timeout, Integer.MAX_VALUE) * 1_000_000, timeout == 0);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select(action, 0, false);
    }

    private int select(Consumer<SelectionKey> action, long nanos, boolean forEver) throws IOException {
        if (!isOpen()) throw new ClosedSelectorException();
        if (usual == null) usual = action;
        flush();
        if (action == usual) machine.await(this, nanos, forEver);
        woken = false;
        machine.strikeOrFail(action == usual ? Call.SELECT : Call.NESTED_SELECT, null);
        flush();
        if (hasReady()) ready.addAll(candidates);
        machine.shuffle(ready);
        // others are told of by the next
        if (ready.size() > machine.mostReady) ready.subList(machine.mostReady, ready.size()).clear();
        try {
            if (action == usual) dispatch(action);
            return ready.size();
        } finally {
            ready.clear();
            if (isOpen()) flush();
        }
    }

    private void dispatch(Consumer<SelectionKey> action) {
        for (SimulatedKey key : ready) {
            // a key that was cancelled by what came before it is dispatched all the same
            if ((key.readyOps() & key.interest()) == 0) continue;
            machine.dispatching(key);
            action.accept(key);
            machine.dispatched(key);
            if (!isOpen()) throw new ClosedSelectorException();
        }
    }

    private void flush() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                forget((SimulatedKey) key);
            }
            cancelled.clear();
        }
    }

    private void forget(SimulatedKey key) {
        keys.remove(key);
        deregister(key);
        boolean unused = !key.channel().isOpen() && !key.channel().isRegistered();
        if (unused && key.channel() instanceof SimulatedChannel channel) {
            channel.free();
        } else if (unused) {
            ((SimulatedListener) key.channel()).free();
        }
    }

    @Override
    public SimulatedSelector wakeup() {
        woken = true;
        return this;
    }

    @Override
    protected void implCloseSelector() {
        for (SimulatedKey key : new ArrayList<>(keys)) {
            forget(key);
        }
        cancelledKeys().clear();
        candidates.clear();
        machine.closed(this);
    }

    @Override
    public Set<SelectionKey> keys() {
        if (!isOpen()) throw new ClosedSelectorException();
        return keyView;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException();
    }

    /** Flushes cancelled keys, and dispatches nothing. */
    @Override
    public int selectNow() throws IOException {
        return select(key -> { }, 0, false);
    }

    @Override
    public int select(long timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
        throw new UnsupportedOperationException();
    }
}
