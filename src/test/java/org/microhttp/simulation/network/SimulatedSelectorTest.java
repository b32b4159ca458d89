package org.microhttp.simulation.network;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;

/** A simulated selector does what Linux's does, by the machine's time. */
final class SimulatedSelectorTest {

    private static final long MILLI = 1_000_000;
    private static final Machine.Costs FREE = new Machine.Costs(0, 0, 0, 0, 0, 1);

    /** A client that has sent so many bytes. */
    private static final class Sender extends Peer {

        private final int number;
        private int unread;
        private boolean freed;

        Sender(int number) {
            this.number = number;
        }

        void send(int count) {
            unread += count;
            changed();
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public InetSocketAddress address() {
            return InetSocketAddress.createUnresolved("client", number);
        }

        @Override
        public boolean isReadable() {
            return unread > 0;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        protected int read(ByteBuffer target) {
            int count = Math.min(unread, target.remaining());
            target.position(target.position() + count);
            unread -= count;
            return count;
        }

        @Override
        protected int write(ByteBuffer source) {
            return 0;
        }

        @Override
        protected void freed() {
            freed = true;
        }

    }

    private final Machine machine = new Machine(1, Long.MAX_VALUE - MILLI, 0, FREE);
    private final List<SelectionKey> dispatched = new ArrayList<>();
    private final Consumer<SelectionKey> dispatch = dispatched::add;
    private SimulatedListener listener;
    private SimulatedSelector selector;
    private int clients;

    @BeforeEach
    void open() throws IOException {
        Machine.enter(machine);
        machine.expect(1);
        selector = (SimulatedSelector) new SimulatedProvider().openSelector();
        listener = (SimulatedListener) new SimulatedProvider().openServerSocketChannel();
        listener.bind(new InetSocketAddress(0), 10);
    }

    @AfterEach
    void leave() {
        Machine.enter(null);
    }

    private SimulatedChannel connect(Sender client) throws IOException {
        assertTrue(machine.connect(((InetSocketAddress) listener.getLocalAddress()).getPort(), client));
        SocketChannel channel = listener.accept();
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        return (SimulatedChannel) channel;
    }

    private Sender sender() {
        clients++;
        return new Sender(clients);
    }

    private int select(long millis) throws IOException {
        dispatched.clear();
        return selector.select(dispatch, millis);
    }

    @Test
    void timePassesUntilSomethingHappens() throws IOException {
        Sender client = sender();
        SimulatedChannel channel = connect(client);
        machine.later(3 * MILLI, () -> client.send(5));
        assertEquals(1, select(1_000));
        assertEquals(List.of(channel.key()), dispatched);
        assertEquals(3 * MILLI, machine.now());
    }

    @Test
    void timePassesUntilTheTimeThatWasGiven() throws IOException {
        long before = machine.nanoTime();
        assertEquals(0, select(50));
        assertEquals(50 * MILLI, machine.now());
        assertEquals(50 * MILLI, machine.nanoTime() - before);
        assertTrue(machine.nanoTime() < 0, "the clock has not come to the end of its range");
    }

    @Test
    void channelStaysReadyUntilAllIsRead() throws IOException {
        Sender client = sender();
        SimulatedChannel channel = connect(client);
        client.send(10);
        for (int i = 0; i < 2; i++) {
            assertEquals(1, select(1));
            channel.read(ByteBuffer.allocate(5));
        }
        assertEquals(0, select(1));
    }

    @Test
    void onlyWatchedOperationsAreReady() throws IOException {
        Sender client = sender();
        SimulatedChannel channel = connect(client);
        client.send(10);
        channel.key().interestOps(0);
        assertEquals(0, select(1));
        channel.key().interestOps(SelectionKey.OP_WRITE);
        assertEquals(1, select(1));
    }

    @Test
    void aWakeUpCountsForTheNextWait() throws IOException {
        selector.wakeup();
        selector.wakeup();
        select(1_000);
        assertEquals(0, machine.now());
        select(5);
        assertEquals(5 * MILLI, machine.now());
    }

    @Test
    void anInterruptEndsTheWait() throws IOException {
        Thread.currentThread().interrupt();
        select(1_000);
        assertTrue(Thread.interrupted());
        assertEquals(0, machine.now());
    }

    @Test
    void aClosedChannelKeepsItsDescriptorUntilTheNextSelect() throws IOException {
        Sender client = sender();
        SimulatedChannel channel = connect(client);
        int descriptors = machine.descriptors();
        channel.close();
        assertFalse(client.freed);
        assertEquals(descriptors, machine.descriptors());
        select(1);
        assertTrue(client.freed);
        assertEquals(descriptors - 1, machine.descriptors());
    }

    @Test
    void dispatchesAKeyCancelledByAnEarlierOne() throws IOException {
        for (int i = 0; i < 3; i++) {
            Sender client = sender();
            connect(client);
            client.send(1);
        }
        int count = selector.select(key -> {
            dispatched.add(key);
            selector.keys().forEach(SelectionKey::cancel);
        }, 1);
        assertEquals(3, count);
        assertEquals(3, dispatched.size());
        assertTrue(selector.keys().isEmpty());
    }

    @Test
    void selectWithoutFutureEventsNeverReturns() {
        assertThrows(ClosedSelectorException.class, () -> select(0));
        assertTrue(machine.isOver());
    }

    @Test
    void acceptsNobodyWithoutADescriptor() throws IOException {
        machine.limitDescriptors(machine.descriptors());
        var thrown = assertThrows(IOException.class, () -> connect(sender()));
        assertEquals("Too many open files", thrown.getMessage());
        assertEquals(1, listener.waiting());
    }

    @Test
    void connectFailsIfTheBacklogIsFullOrNobodyListens() throws IOException {
        int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        for (int i = 0; i < 10; i++) {
            assertTrue(machine.connect(port, sender()));
        }
        assertFalse(machine.connect(port, sender()));
        listener.close();
        assertFalse(machine.connect(port, sender()));
    }

    @Test
    void nobodyFindsAUnixDomainSocketWhoseFileIsGone(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("socket");
        ServerSocketChannel unix =
                new SimulatedProvider().openServerSocketChannel(StandardProtocolFamily.UNIX);
        unix.bind(UnixDomainSocketAddress.of(file), 10);
        assertTrue(machine.connect(Machine.UNIX, sender()));
        assertThrows(UnsupportedOperationException.class,
                () -> unix.setOption(StandardSocketOptions.SO_REUSEPORT, true));
        Files.delete(file);
        assertFalse(machine.connect(Machine.UNIX, sender()));
    }

    @Test
    void clientsOfAnInheritedSocketKeepWaitingWhenItIsClosed() throws IOException {
        var address = new InetSocketAddress(4000);
        machine.inherit(address, 10);
        var inherited = (SimulatedListener) new SimulatedProvider().inheritedChannel();
        Sender client = sender();
        assertTrue(machine.connect(address.getPort(), client));
        inherited.close();
        assertEquals(1, inherited.waiting());
        assertTrue(machine.connect(address.getPort(), sender()));
    }
}
