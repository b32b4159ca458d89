package org.microhttp.checks.endurance.scale;

import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.microhttp.checks.endurance.scale.Meter.Part;

/** A row of the table, and how much it may grow from the fewest connections to the most. */
enum Figure {

    WEIGHT("heap of an idle connection, bytes", 1.25, 64, Measured::weightOfOne),
    ACCEPT("CPU of an accept, µs", c -> c.micros(Part.ACCEPTING)),
    REQUEST("CPU of a request in a turn of its own, µs", c -> c.micros(Part.ASKING)),
    TURN("CPU of a turn with nothing due, µs", c -> c.micros(Part.IDLE_TURNS)),
    TICK("CPU of a tick in which one deadline fires, µs", c -> c.micros(Part.ORDINARY_TICKS)),
    DEADLINE("CPU of each deadline, where most fire in one tick, µs", c -> c.micros(Part.MOST_DEADLINES)),
    LEAVE("CPU of leaving, for each connection, µs", c -> c.micros(Part.LEAVING)),
    LOOK("CPU of the look at all after a long turn, for each, µs", c -> c.micros(Part.LONG_TURN)),
    LONGEST_TURN("the longest turn of a tick in which most deadlines fire, with the network's, ms", 8, 10,
            Measured::longestTurn),

    /** In proportion to the connections: for the table alone. */
    ALL_DEADLINES("CPU of all deadlines that fire in one tick, ms", Double.MAX_VALUE, 0,
            c -> c.millis(Part.MOST_DEADLINES));

    /** A million connections are not in the processor's cache, as a thousand are. */
    private static final double GROWTH = 8;

    /** In microseconds: what cannot be told from nothing. */
    private static final double NOISE = 1;

    final String text;
    private final double growth;
    private final double slack;
    private final ToDoubleFunction<Measured> value;

    Figure(String text, ToDoubleFunction<Measured> value) {
        this(text, GROWTH, NOISE, value);
    }

    Figure(String text, double growth, double slack, ToDoubleFunction<Measured> value) {
        this.text = text;
        this.growth = growth;
        this.slack = slack;
        this.value = value;
    }

    /** As a table has it. A difference that is less than nothing is noise. */
    String print(Measured measured) {
        double number = Math.max(0, value.applyAsDouble(measured));
        String format = this == WEIGHT ? "%,.0f" : number < 10 ? "%.2f" : "%,.1f";
        return String.format(Locale.ROOT, format, number);
    }

    /** Whether it is no more with these connections than with fewer, within generous bounds. */
    boolean isFlat(Measured fewer, Measured more) {
        return growth == Double.MAX_VALUE
                || value.applyAsDouble(more) <= growth * Math.max(0, value.applyAsDouble(fewer)) + slack;
    }
}
