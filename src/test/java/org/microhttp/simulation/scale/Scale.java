package org.microhttp.simulation.scale;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.*;
import org.microhttp.simulation.network.SimulatedProvider;

/**
 * Measures what a loop costs with 1,000 to 1,000,000 connections, or as many as its arguments say, and prints
 * it as a table. Ends with 1 if a figure that should be flat is not: if with more connections a CPU time is
 * above eight times what it is with the fewest, and a microsecond; or the heap of one above a quarter more,
 * and 64 bytes; or a turn of a tick in which most deadlines fire above eight times, and 10 ms.
 */
public final class Scale {

    private static final int[] CONNECTIONS = {1_000, 10_000, 100_000, 1_000_000};
    private static final int FLAT = 0;
    private static final int NOT_FLAT = 1;
    private static final int NOT_MEASURED = 2;
    private static final long MOST_MILLIS = 20 * 60_000;

    /** For each connection, that of the simulated network and of the garbage included; for all else. */
    private static final long HEAP_OF_ONE = 1_500;
    private static final long HEAP = 64L << 20;

    private static final int WARM_UP_CONNECTIONS = 10_000;
    private static final int WARM_UP_LIVES = 100;

    private Scale() {
    }

    public static void main(String[] args) throws IOException {
        limitTime();
        System.exit(run(args));
    }

    private static void limitTime() {
        new Timer(true).schedule(new TimerTask() {
            @Override
            public void run() {
                System.err.println("took too long");
                Runtime.getRuntime().halt(NOT_MEASURED);
            }
        }, MOST_MILLIS);
    }

    /** What {@link #main} does, without its end: 0 if all is flat. */
    static int run(String... args) throws IOException {
        int[] named = Arrays.stream(args).mapToInt(Integer::parseInt).sorted().toArray();
        int[] counts = named.length == 0 ? CONNECTIONS : named;
        int most = counts[counts.length - 1];
        if (!isPossible(counts[0], most)) return NOT_MEASURED;
        Measured.warmUp(Math.min(most, WARM_UP_CONNECTIONS), WARM_UP_LIVES);
        List<Measured> all = new ArrayList<>();
        for (int count : counts) {
            all.add(Measured.of(count));
        }
        print(all);
        return judge(all);
    }

    private static boolean isPossible(int fewest, int most) {
        System.setProperty(SelectorProvider.class.getName(), SimulatedProvider.class.getName());
        if (!(SelectorProvider.provider() instanceof SimulatedProvider)) {
            System.err.println("needs the system property " + SelectorProvider.class.getName() + "="
                    + SimulatedProvider.class.getName());
            return false;
        }
        if (fewest < 10) {
            System.err.println("10 connections are the fewest");
            return false;
        }
        long needed = HEAP + most * HEAP_OF_ONE;
        if (Runtime.getRuntime().maxMemory() < needed * 0.95) {
            System.err.println(most + " connections need a heap of -Xmx" + (needed >> 20) + "m");
            return false;
        }
        return true;
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

    private static int judge(List<Measured> all) {
        int verdict = FLAT;
        Measured fewest = all.get(0);
        for (Figure figure : Figure.values()) {
            for (Measured more : all) {
                if (figure.isFlat(fewest, more)) continue;
                System.out.println("NOT FLAT with " + more.connections + " connections: " + figure.text);
                verdict = NOT_FLAT;
            }
        }
        return verdict;
    }
}
