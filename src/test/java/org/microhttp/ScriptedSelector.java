package org.microhttp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.HashSet;
import java.util.Set;

/** Watches nothing: it counts how often it is woken, and fails when a test says so. */
final class ScriptedSelector extends AbstractSelector {

    private final Set<SelectionKey> none = new HashSet<>();

    /** What a select throws; null if it finds nothing. */
    IOException failure;
    int woken;

    ScriptedSelector() {
        super(null);
    }

    @Override
    public Selector wakeup() {
        woken++;
        return this;
    }

    @Override
    public Set<SelectionKey> keys() {
        return none;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return none;
    }

    @Override
    public int selectNow() throws IOException {
        if (failure != null) throw failure;
        return 0;
    }

    @Override
    public int select(long millis) throws IOException {
        return selectNow();
    }

    @Override
    public int select() throws IOException {
        return selectNow();
    }

    @Override
    protected void implCloseSelector() {
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        throw new UnsupportedOperationException();
    }
}
