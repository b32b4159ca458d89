package org.microhttp.versions;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A selector of channels in memory. It never sleeps: before each select, its version gives clients work. */
final class MemorySelector extends AbstractSelector {

    /** What a channel is ready for now. */
    interface Readiness { int ready(); }

    private final Version version;
    private final List<Key> keys = new ArrayList<>();
    private final Set<SelectionKey> selected = new HashSet<>();

    MemorySelector(MemoryProvider provider, Version version) {
        super(provider);
        this.version = version;
    }

    private int each(Consumer<SelectionKey> action) {
        version.beginTurn();
        if (!cancelledKeys().isEmpty()) throw new IllegalStateException("the server has closed a connection");
        int count = 0;
        // by number, for the action may register more
        for (int i = 0; i < keys.size(); i++) {
            Key key = keys.get(i);
            key.ready = key.channel.ready() & key.interest;
            if (key.ready == 0) continue;
            action.accept(key);
            count++;
        }
        return count;
    }

    @Override public int select(Consumer<SelectionKey> action, long timeout) { return each(action); }
    @Override public int select(Consumer<SelectionKey> action) { return each(action); }
    @Override public int selectNow(Consumer<SelectionKey> action) { return each(action); }
    @Override public int select(long timeout) { return each(selected::add); }
    @Override public int select() { return each(selected::add); }
    @Override public int selectNow() { return each(selected::add); }
    @Override public Set<SelectionKey> selectedKeys() { return selected; }
    @Override public Set<SelectionKey> keys() { return Set.copyOf(keys); }
    @Override public Selector wakeup() { return this; }
    @Override protected void implCloseSelector() { }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        Key key = new Key(this, (Readiness) channel, ops);
        key.attach(attachment);
        keys.add(key);
        return key;
    }

    private static final class Key extends AbstractSelectionKey {

        private final Selector selector;
        private final Readiness channel;
        private int interest, ready;

        Key(Selector selector, Readiness channel, int interest) {
            this.selector = selector;
            this.channel = channel;
            this.interest = interest;
        }

        @Override public SelectableChannel channel() { return (SelectableChannel) channel; }
        @Override public Selector selector() { return selector; }
        @Override public int interestOps() { return interest; }
        @Override public int readyOps() { return ready; }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            return this;
        }
    }
}
