package org.microhttp.simulation.scale;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.microhttp.simulation.scale.Meter.Part;

/** A row of the table, and how much it may grow from the fewest connections to the most. */
enum Figure {

    WEIGHT("heap of an idle connection, bytes", true, 1.25, 64, Measured::weightOfOne),
    ACCEPT("CPU of an accept, µs", true, c -> c.micros(Part.ACCEPTING)),
    REQUEST("CPU of a request in a turn of its own, µs", true, c -> c.micros(Part.ASKING)),
    TURN("CPU of a turn with nothing due, µs", true, c -> c.micros(Part.IDLE_TURNS)),
    TICK("CPU of a tick in which one deadline fires, µs", true, c -> c.micros(Part.ORDINARY_TICKS)),
    DEADLINE("CPU of each deadline, where most fire in one tick, µs", true,
            c -> c.micros(Part.MOST_DEADLINES)),
    LEAVE("CPU of leaving, for each connection, µs", true, c -> c.micros(Part.LEAVING)),
    LOOK("CPU of the look at all after a long turn, for each, µs", true, c -> c.micros(Part.LONG_TURN)),

    DEADLINES("deadlines in the tick in which most fire", false, c -> c.events(Part.MOST_DEADLINES)),
    ALL_DEADLINES("CPU of all of them, ms", false, c -> c.millis(Part.MOST_DEADLINES)),
    ALL_DEADLINES_WITH_NETWORK("the same with the network's, ms", false,
            c -> c.millisWithNetwork(Part.MOST_DEADLINES)),
    LONGEST_TURN("the longest turn of it, with the network's, ms", true, 8, 10, Measured::longestTurn),
    LEAVE_ALL("CPU of leaving them all, ms", false, c -> c.millis(Part.LEAVING)),
    LEAVE_ALL_WITH_NETWORK("the same with the network's, ms", false, c -> c.millisWithNetwork(Part.LEAVING)),
    LOOK_AT_ALL("CPU of the look at all, ms", false, c -> c.millis(Part.LONG_TURN));

    /** A million connections are not in the processor's cache, as a thousand are. */
    private static final double GROWTH = 8;

    /** In microseconds: what cannot be told from nothing. */
    private static final double NOISE = 1;

    final String text;

    /** Whether it is one of each event, or connection, and must not depend on how many there are. */
    final boolean flat;

    private final double growth;
    private final double slack;
    private final ToDoubleFunction<Measured> value;

    Figure(String text, boolean flat, ToDoubleFunction<Measured> value) {
        this(text, flat, GROWTH, NOISE, value);
    }

    Figure(String text, boolean flat, double growth, double slack, ToDoubleFunction<Measured> value) {
        this.text = text;
        this.flat = flat;
        this.growth = growth;
        this.slack = slack;
        this.value = value;
    }

    double of(Measured measured) {
        return value.applyAsDouble(measured);
    }

    /** As a table has it. A difference that is less than nothing is noise. */
    String print(Measured measured) {
        double number = Math.max(0, of(measured));
        boolean whole = this == WEIGHT || this == DEADLINES;
        String format = whole ? "%,.0f" : number < 10 ? "%.2f" : "%,.1f";
        return String.format(Locale.ROOT, format, number);
    }

    /** Whether it is no more with these connections than with fewer, within generous bounds. */
    boolean isFlat(Measured fewer, Measured more) {
        return !flat || of(more) <= growth * Math.max(0, of(fewer)) + slack;
    }
}
