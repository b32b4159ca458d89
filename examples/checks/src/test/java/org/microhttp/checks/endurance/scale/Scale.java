package org.microhttp.checks.endurance.scale;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.microhttp.checks.endurance.Report;
import org.microhttp.simulation.network.SimulatedProvider;

/**
 * Measures what a loop costs with 1,000 to 1,000,000 connections, or as many as its arguments say, and prints
 * it as a table: {@code [connections ...]}. Each {@link Figure} has to be the same with however many.
 */
public final class Scale {

    private static final int[] CONNECTIONS = {1_000, 10_000, 100_000, 1_000_000};

    private static final int WARM_UP_CONNECTIONS = 10_000;
    private static final int WARM_UP_LIVES = 100;

    private Scale() {
    }

    public static void run(Report report, String... arguments) throws IOException {
        // before the first channel of this JVM
        System.setProperty(SelectorProvider.class.getName(), SimulatedProvider.class.getName());
        int[] named = Arrays.stream(arguments).mapToInt(Integer::parseInt).sorted().toArray();
        int[] counts = named.length == 0 ? CONNECTIONS : named;
        int most = counts[counts.length - 1];
        if (counts[0] < 10) throw new IllegalArgumentException("10 connections are the fewest");
        Lifespan.warmUp(Math.min(most, WARM_UP_CONNECTIONS), WARM_UP_LIVES);
        List<Measured> all = new ArrayList<>();
        for (int count : counts) {
            all.add(Measured.of(count));
        }
        print(all);
        for (Figure figure : Figure.values()) {
            for (Measured more : all) {
                report.check(figure.isFlat(all.get(0), more), "not flat",
                        figure.text + " with " + more.connections + " connections");
            }
        }
    }

    private static void print(List<Measured> all) {
        var head = new StringBuilder("| connections |");
        var line = new StringBuilder("|---|");
        for (Measured measured : all) {
            head.append(String.format(Locale.ROOT, " %,d |", measured.connections));
            line.append("---:|");
        }
        System.out.println(head);
        System.out.println(line);
        for (Figure figure : Figure.values()) {
            var row = new StringBuilder("| " + figure.text + " |");
            for (Measured measured : all) {
                row.append(" ").append(figure.print(measured)).append(" |");
            }
            System.out.println(row);
        }
    }
}
