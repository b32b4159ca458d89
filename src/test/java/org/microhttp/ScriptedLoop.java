package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.microhttp.simulation.network.*;
import org.microhttp.testing.RecordingLogger;

/**
 * What a loop is for its connections, without sockets: a test runs each turn, and says when time is over. The
 * thread that makes it is the loop's.
 */
final class ScriptedLoop implements AutoCloseable {

    /** One client and the server's side of it. */
    final class Client {

        final ScriptedPeer channel = new ScriptedPeer();
        final SimulatedKey key;
        final Connection connection;

        private Client() throws IOException {
            var server = new SimulatedChannel(machine, channel);
            server.configureBlocking(false);
            key = (SimulatedKey) server.register(selector, SelectionKey.OP_READ);
            connection = new Connection(context, server, key);
        }

        /** A turn in which the channel is ready. */
        Client turn() {
            ScriptedLoop.this.turn(connection::onReady);
            return this;
        }

        /** What comes is read in one turn. */
        Client turn(String text) {
            channel.send(text);
            return turn();
        }

        /** A turn in which the connection's time is over. */
        Client timeOut() {
            blockFor(Duration.ofMinutes(10));
            ScriptedLoop.this.turn(connection::onDeadline);
            return this;
        }

        /** As many turns as there are for which the channel is ready to be written. */
        Client drain() {
            while (isWriting()) {
                turn();
            }
            return this;
        }

        /** A turn if there is something that is to be read; true if there was one. */
        boolean turnToRead() {
            boolean due = !isClosed() && (interest() & SelectionKey.OP_READ) != 0 && channel.isReadable();
            if (due) turn();
            return due;
        }

        /** A turn if something can be written that is to be; true if there was one. */
        boolean turnToWrite() {
            boolean due = isWriting() && channel.room > 0;
            if (due) turn();
            return due;
        }

        boolean isWriting() {
            boolean waits = (interest() & SelectionKey.OP_WRITE) != 0 || context.shares.isAwaited();
            return channel.isOpen() && waits;
        }

        /** What the selector watches for. */
        int interest() {
            return key.interest();
        }

        /** What has come since, without its dates. */
        String received() {
            return channel.received();
        }

        boolean isClosed() {
            return !channel.isOpen();
        }

        /** Fails unless that is all that has come since. */
        Client expect(String received) {
            assertEquals(received, received());
            return this;
        }

        Client expect(ConnectionState state) {
            assertEquals(state, connection.state);
            return this;
        }

        Client expectOpen() {
            assertFalse(isClosed());
            return this;
        }

        Client expectClosed() {
            assertTrue(isClosed());
            return this;
        }
    }

    /** Requests whose target begins with "/later", in order; others are answered at once. */
    final List<Consumer<Response>> later = new ArrayList<>();
    final RecordingLogger log = new RecordingLogger();
    final LoopContext context;
    final Machine machine = new Machine(0, 0, 0, new Machine.Costs(0, 0, 0, 0, 0, 1));
    private final Selector selector = new SimulatedSelector(machine);

    ScriptedLoop(Options options, Handler handler) throws IOException {
        this(options, null, handler);
    }

    /** With null, what is logged is kept. */
    ScriptedLoop(Options options, Logger logger, Handler handler) throws IOException {
        Options.Clock given = options.clock();
        boolean own = given.getClass() != Options.Clock.class;
        Options timed = Inside.withClock(options, () -> machine.nanoTime() + (own ? given.nanoTime() : 0),
                own ? given::currentTimeMillis : machine::wallMillis);
        Handler outer = (request, callback) -> {
            if (request.target().startsWith("/later")) {
                later.add(callback);
            } else {
                handler.handle(request, callback);
            }
        };
        context = new LoopContext(selector, timed, logger == null ? log : logger, handler.wrappedBy(outer),
                new GroupContext(timed));
        context.tasks.thread = Thread.currentThread();
    }

    ScriptedLoop(Handler handler) throws IOException {
        this(new Options(), handler);
    }

    Client connect() throws IOException {
        return new Client();
    }

    /** A turn of the loop in which these are ready. */
    void turn(List<Client> ready) {
        turn(() -> ready.forEach(client -> client.connection.onReady()));
    }

    /** A turn of the loop, in which this is done, and then written what waits. */
    private void turn(Runnable action) {
        context.clock.endTurn();
        context.shares.begin();
        action.run();
        context.shares.serve();
    }

    /** Runs the tasks that have come, in a turn of their own. */
    void runTasks() {
        turn(() -> context.tasks.run(Integer.MAX_VALUE));
    }

    /** Time passes in which the loop's thread is busy, in a handler. */
    void blockFor(Duration time) {
        machine.pass(time.toNanos());
    }

    /** A turn so much later, in which the times that are over by then are looked at. */
    void passTime(Duration time) {
        blockFor(time);
        turn(() -> context.scheduler.advance(context.clock.now()));
    }

    /** Begins to leave, with an hour for what is here. */
    void leave() {
        context.leave(context.clock.now() + TimeUnit.HOURS.toNanos(1));
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
