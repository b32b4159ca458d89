package org.microhttp;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * What an object keeps to itself, for tests to which no client could show enough. The one door into the
 * library for the tests in other packages, which else have what every program has.
 */
public final class Inside {

    private Inside() {
    }

    /** The value of the object's one field of this type. */
    public static <T> T of(Object owner, Class<T> type) throws ReflectiveOperationException {
        var field = Arrays.stream(owner.getClass().getDeclaredFields())
                .filter(f -> f.getType() == type).findFirst().orElseThrow();
        field.setAccessible(true);
        return type.cast(field.get(owner));
    }

    /** One loop of a group. */
    public static EventLoop loop(EventLoopGroup group, int index) throws ReflectiveOperationException {
        return (EventLoop) of(group, List.class).get(index);
    }

    /** What the connections of one loop share. */
    static LoopContext context(EventLoopGroup group, int index) throws ReflectiveOperationException {
        return of(loop(group, index), LoopContext.class);
    }

    /** Has the loop do this in one of its next turns. */
    public static void execute(EventLoop loop, Runnable task) throws ReflectiveOperationException {
        of(loop, LoopContext.class).tasks.add(task);
    }

    /** A group whose first loop accepts for all, as on a platform without shared ports. */
    public static EventLoopGroup groupWithoutSharedPort(Options options, Logger logger, Handler handler,
                                                        int size) throws IOException {
        return new EventLoopGroup(options, logger, handler, size, false);
    }
}
