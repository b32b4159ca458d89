package org.microhttp.testing;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.provider.Arguments;
import org.microhttp.*;

/** What a test of both a loop and a group runs with, one after the other: {@code @EnumSource}. */
public enum ServerKind {

    LOOP(1), GROUP(3),

    /** A group whose first loop accepts for all, as on a platform without shared ports. */
    HANDING_OVER(3);

    /** How many loops it has unless a test says otherwise. */
    public final int loops;

    ServerKind(int loops) {
        this.loops = loops;
    }

    /** Each kind with each of these, for {@code @MethodSource}. */
    public static List<Arguments> with(Object... others) {
        return Arrays.stream(values()).flatMap(kind ->
                Arrays.stream(others).map(other -> Arguments.of(kind, other))).toList();
    }

    /** One that does not run yet. */
    public Server make(Options options, Logger logger, Handler handler, int size) throws IOException {
        return switch (this) {
            case LOOP -> new EventLoop(options, logger, handler);
            case GROUP -> new EventLoopGroup(options, logger, handler, size);
            case HANDING_OVER -> Inside.groupWithoutSharedPort(options, logger, handler, size);
        };
    }

    /** One that does not run yet. */
    public Server make(Options options, Handler handler) throws IOException {
        return make(options, new NoopLogger(), handler, loops);
    }
}
