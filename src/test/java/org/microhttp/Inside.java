package org.microhttp;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.*;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.microhttp.protocol.Budget;
import org.microhttp.protocol.RequestHead;

/**
 * What an object keeps to itself, for tests to which no client could show enough. The one door into the
 * library for the tests in other packages, which else have what every program has.
 */
public final class Inside {

    private Inside() {
    }

    /** The value of the object's one field of this type. */
    public static <T> T of(Object owner, Class<T> type) throws ReflectiveOperationException {
        return type.cast(field(owner.getClass(), type).get(owner));
    }

    /** Changes that field, though it may be final. */
    static <T> void set(Object owner, Class<T> type, T value) throws ReflectiveOperationException {
        field(owner.getClass(), type).set(owner, value);
    }

    private static Field field(Class<?> owner, Class<?> type) {
        Field field = Arrays.stream(owner.getDeclaredFields())
                .filter(f -> f.getType() == type).findFirst().orElseThrow();
        field.setAccessible(true);
        return field;
    }

    /** How many are taken now; 0 without a limit. */
    public static long used(Budget budget) {
        return budget.limit - budget.left();
    }

    /** The request that a handler gets of a head and a body; nobody waits for its response. */
    public static Request request(RequestHead head, byte[] body, SocketAddress client) {
        return new Request(head, body, client, new Abandonment(), null);
    }

    /** The loop, or those of the group. */
    @SuppressWarnings("unchecked")
    public static List<EventLoop> loops(Server server) throws ReflectiveOperationException {
        return server instanceof EventLoop loop ? List.of(loop) : of(server, List.class);
    }

    /** One loop of a group. */
    public static EventLoop loop(EventLoopGroup group, int index) throws ReflectiveOperationException {
        return (EventLoop) of(group, List.class).get(index);
    }

    /** What the connections of one loop share. */
    static LoopContext context(EventLoopGroup group, int index) throws ReflectiveOperationException {
        return loop(group, index).context;
    }

    /** What accepts the connections of a loop. */
    static Acceptor acceptor(LoopContext loop) {
        return (Acceptor) loop.door;
    }

    /** Has the loop do this in one of its next turns. */
    public static void execute(EventLoop loop, Runnable task) {
        loop.context.tasks.add(task);
    }

    /** Has the loop do this when it has seen what time it is now, and done what is due: two turns later. */
    public static void executeWhenDueIsDone(EventLoop loop, Runnable task) {
        LoopContext context = loop.context;
        context.tasks.add(new Runnable() {

            private long turn = LoopClock.NONE;
            private int turns;

            @Override
            public void run() {
                if (context.clock.turnBegan != turn) turns++;
                turn = context.clock.turnBegan;
                context.tasks.add(turns <= 2 ? this : task);
            }
        });
    }

    /** The key of the connection for whose request a program is called, on the thread of one of these. */
    public static SelectionKey handling(List<EventLoop> loops, Request request) {
        try {
            for (EventLoop loop : loops) {
                if (!loop.context.tasks.isLoopThread()) continue;
                for (SelectionKey key : of(loop, Selector.class).keys()) {
                    if (!(key.attachment() instanceof Connection connection)) continue;
                    Exchange early = of(connection, Exchange.class);
                    boolean asked = early != null && early.abandonment == request.abandonment;
                    if (asked || connection.state == ConnectionState.HANDLING) return key;
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("no connection is in the handler");
    }

    /** Whichever timeout is the least. */
    public static Duration leastTimeout(Options options) {
        return Stream.of(options.socketTimeout(), options.requestTimeout(), options.handlerTimeout())
                .min(Comparator.naturalOrder()).orElseThrow();
    }

    /** A group whose first loop accepts for all, as on a platform without shared ports. */
    public static EventLoopGroup groupWithoutSharedPort(Options options, Logger logger, Handler handler,
                                                        int size) throws IOException {
        return new EventLoopGroup(options.withSharing(false), logger, handler, size);
    }

    /** Has a turn of these loops write little, in which a small answer has so many bytes. */
    public static void withShares(List<EventLoop> loops, int small) throws ReflectiveOperationException {
        for (EventLoop loop : loops) {
            WriteShares shares = loop.context.shares;
            for (WriteShare share : List.of(shares.small, shares.large)) {
                boolean large = share == shares.large;
                change(share, "most", large ? 4 * small : small);
                change(share, "perTurn", large ? 8 * small : 4 * small);
                share.begin();
            }
        }
    }

    private static void change(WriteShare share, String name, int value) throws ReflectiveOperationException {
        Field field = WriteShare.class.getDeclaredField(name);
        field.setAccessible(true);
        field.setInt(share, value);
    }

    /** Options with which all that is made sees another time than the machine's. */
    public static Options withClock(Options options, LongSupplier nanoTime, LongSupplier millis) {
        return options.withClock(new Options.Clock() {
            @Override
            long nanoTime() {
                return nanoTime.getAsLong();
            }

            @Override
            long currentTimeMillis() {
                return millis.getAsLong();
            }
        });
    }

    /** Does this as another thread than those of these loops, though it is one of them. */
    public static void elsewhere(List<EventLoop> loops, Runnable action) throws ReflectiveOperationException {
        for (EventLoop loop : loops) {
            TaskQueue tasks = loop.context.tasks;
            if (tasks.isLoopThread()) {
                set(tasks, Thread.class, null);
                try {
                    action.run();
                } finally {
                    set(tasks, Thread.class, Thread.currentThread());
                }
                return;
            }
        }
        action.run();
    }
}
