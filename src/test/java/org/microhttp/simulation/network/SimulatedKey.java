package org.microhttp.simulation.network;

import java.nio.channels.*;
import java.nio.channels.spi.AbstractSelectionKey;

/** A key whose place in sets depends on nothing but when it was made. */
public final class SimulatedKey extends AbstractSelectionKey {

    private final SimulatedSelector selector;
    private final SelectableChannel channel;
    private final int number;
    private int interest;
    private int ready;

    /** Whether the selector is to look at it. */
    boolean candidate;

    SimulatedKey(SimulatedSelector selector, SelectableChannel channel, int number) {
        this.selector = selector;
        this.channel = channel;
        this.number = number;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        if (!isValid()) throw new CancelledKeyException();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        if (!isValid()) throw new CancelledKeyException();
        selector.machine.strike(Call.INTEREST, peer());
        watch(ops);
        return this;
    }

    /** What {@link #interestOps(int)} does, and cannot fail. */
    void watch(int ops) {
        interest = ops;
        selector.lookAt(this);
    }

    /** Whose key it is; null for a listener's. */
    public Peer peer() {
        return channel instanceof SimulatedChannel c ? c.peer : null;
    }

    public int selectorIndex() {
        return selector.index;
    }

    /** What the key is watched for, valid or not. */
    public int interest() {
        return interest;
    }

    @Override
    public int readyOps() {
        return ready;
    }

    /** Looks at what the channel is ready for. */
    int look() {
        boolean listener = channel instanceof SimulatedListener;
        ready = listener ? ((SimulatedListener) channel).ready() : ((SimulatedChannel) channel).ready();
        return ready & interest;
    }

    @Override
    public int hashCode() {
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }
}
