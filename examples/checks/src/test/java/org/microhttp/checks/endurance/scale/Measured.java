package org.microhttp.checks.endurance.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.microhttp.checks.endurance.scale.Meter.Part;

/**
 * What was measured with so many connections: medians of several lives with the library, less those of as
 * many without it.
 */
final class Measured {

    private static final int MOST_LIVES = 30;
    private static final int LEAST_LIVES = 5;

    /** In all lives together, if that are not too many, or too few. */
    private static final int MOST_CONNECTIONS = 1_000_000;

    /** Lives in which connections are weighed, which takes several full collections. */
    private static final int WEIGHED = 3;

    final int connections;
    private final List<Lifespan> lives = new ArrayList<>();
    private final List<Lifespan> bareLives = new ArrayList<>();

    private Measured(int connections) {
        this.connections = connections;
    }

    /** Lives as many lives as that takes. */
    static Measured of(int connections) throws IOException {
        var measured = new Measured(connections);
        int count = Math.max(LEAST_LIVES, Math.min(MOST_LIVES, MOST_CONNECTIONS / connections));
        for (int i = 0; i < count; i++) {
            boolean weighed = i == 0 || i < WEIGHED && count == MOST_LIVES;
            measured.lives.add(Lifespan.live(connections, false, weighed));
            measured.bareLives.add(Lifespan.live(connections, true, weighed));
        }
        return measured;
    }

    /** The library's heap for each connection, in bytes. */
    double weightOfOne() {
        return difference(Lifespan::isWeighed, Lifespan::weightOfOne);
    }

    /** The library's CPU in a part, for each of its events. */
    double micros(Part part) {
        return 1_000 * millis(part) / lives.get(0).events(part);
    }

    /** The library's CPU in a part. */
    double millis(Part part) {
        return difference(life -> true, life -> life.meter.total(part)) / 1e6;
    }

    /** In milliseconds. */
    double longestTurn() {
        return median(lives, life -> true, life -> life.meter.longestTurn(Part.MOST_DEADLINES)) / 1e6;
    }

    private double difference(Predicate<Lifespan> which, ToDoubleFunction<Lifespan> value) {
        return median(lives, which, value) - median(bareLives, which, value);
    }

    private static double median(List<Lifespan> lives, Predicate<Lifespan> which,
                                 ToDoubleFunction<Lifespan> value) {
        double[] values = lives.stream().filter(which).mapToDouble(value).sorted().toArray();
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }
}
