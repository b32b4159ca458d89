package org.microhttp.versions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.microhttp.measure.Row;
import org.microhttp.measure.Range;

/**
 * Half of a round, the program of a JVM of its own: warms up both versions, then measures them by turns,
 * shape by shape, and prints a row for each.
 */
public final class Round {

    /** Requests of a turn while it warms up, and what a turn's are a multiple of: all clients' batches. */
    private static final int WARM = 2_048, STEP = 256;

    private final Version[] versions = new Version[2];
    private final List<Shape> shapes;

    /** Which of them is loaded and measured first: 0 for the old one. */
    private final int first;

    private Round(Path old, Path now, int first, List<Shape> shapes) {
        this.first = first;
        this.shapes = shapes;
        for (int i : List.of(first, 1 - first)) {
            versions[i] = new Version(i == 0 ? old : now);
            versions[i].start();
        }
    }

    /** OLD NEW FIRST SHAPES SECONDS TURNS MILLIS, as {@link Versions} has them. */
    public static void main(String[] args) throws Exception {
        List<Shape> shapes = Arrays.stream(args[3].split(",")).map(Shape::of).toList();
        Round round = new Round(Path.of(args[0]), Path.of(args[1]), Integer.parseInt(args[2]), shapes);
        // versions wait for ever
        try {
            round.run(Double.parseDouble(args[4]), Integer.parseInt(args[5]), Double.parseDouble(args[6]));
            System.exit(0);
        } catch (IOException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }

    private void run(double seconds, int turns, double millis) throws IOException, InterruptedException {
        double[] nanos = warmUp(seconds);
        for (int i = 0; i < nanos.length; i++) {
            int requests = (int) (millis * 1e6 / nanos[i] / STEP + 1) * STEP;
            Row row = measure(shapes.get(i), requests, turns);
            System.out.println(String.join("\t", row.values().values()));
        }
    }

    /** For so many seconds, all shapes by turns; says how long the new one takes for a request of each. */
    private double[] warmUp(double seconds) throws IOException, InterruptedException {
        double[] nanos = new double[shapes.size()];
        long end = System.nanoTime() + (long) (seconds * 1e9);
        do {
            for (int i = 0; i < nanos.length; i++) {
                versions[first].serve(shapes.get(i), WARM);
                nanos[i] = (double) versions[1 - first].serve(shapes.get(i), WARM).nanos() / WARM;
            }
        } while (System.nanoTime() < end);
        return nanos;
    }

    /** So many turns of each version; who begins, alternates. */
    private Row measure(Shape shape, int requests, int turns) throws IOException, InterruptedException {
        List<Version.Sample[]> pairs = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            Version.Sample[] pair = new Version.Sample[2];
            int begins = (first + turn) % 2;
            pair[begins] = versions[begins].serve(shape, requests);
            pair[1 - begins] = versions[1 - begins].serve(shape, requests);
            pairs.add(pair);
        }
        return new Row().set("shape", "%s", shape.title)
                .set("ratio", "%.5f", median(pairs, pair -> (double) pair[1].nanos() / pair[0].nanos()))
                .set("old_ns", "%.2f", median(pairs, pair -> (double) pair[0].nanos() / requests))
                .set("new_ns", "%.2f", median(pairs, pair -> (double) pair[1].nanos() / requests))
                .set("old_bytes", "%.1f", median(pairs, pair -> (double) pair[0].bytes() / requests))
                .set("new_bytes", "%.1f", median(pairs, pair -> (double) pair[1].bytes() / requests));
    }

    private static double median(List<Version.Sample[]> pairs, ToDoubleFunction<Version.Sample[]> figure) {
        return Range.of(pairs.stream().mapToDouble(figure).toArray()).median();
    }
}
