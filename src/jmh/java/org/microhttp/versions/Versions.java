package org.microhttp.versions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;
import org.microhttp.measure.Range;

/**
 * Says how much CPU time a request takes of a new version of the library, compared with an old one, and
 * whether that keeps a limit. Ends with 4 if it does not, or if nothing can be said.
 */
public final class Versions {

    private static final List<String> COLUMNS =
            List.of("shape", "ratio", "old_ns", "new_ns", "old_bytes", "new_bytes");

    /** What a JVM takes to start, and once more what all takes if others have the machine. */
    private static final double BESIDE_SECONDS = 3, SLOWER = 6;

    /**
     * The compiler is given time and no choice: what it makes of the same code then differs from one JVM to
     * the next by 2 %, and otherwise by 5 %.
     */
    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-Xbatch",
            "-XX:-TieredCompilation");

    /** The exit status where a shape has missed the limit, or is undecided. */
    private static final int NOT_MET = 4;

    private final Path oldClasses, newClasses, result;
    private final ResultFile measured;
    private final int rounds, turns;
    private final double limit, width, warmup, millis;
    private final List<String> shapes;

    /** FACTS and, of each version, its name and classes; options. FACTS may be a result that was kept. */
    private Versions(List<String> args) throws IOException {
        measured = ResultFile.read(Path.of(args.get(0)));
        oldClasses = Path.of(args.get(2));
        newClasses = Path.of(args.get(4));
        String usage = "usage: src/jmh/versions OLD [NEW] [OPTIONS], see src/jmh/versions --help";
        Arguments options = new Arguments(usage, args, 5);
        rounds = options.integer("--rounds", "30", "[1-9][0-9]{0,2}");
        limit = options.number("--limit", "1.02", "[0-9]+([.][0-9]+)?");
        width = options.number("--width", "0.02", "[0-9]+([.][0-9]+)?");
        shapes = options.named("--shapes", "shape", Shape.titles());
        warmup = options.number("--warmup", "2", "[0-9]{1,2}([.][0-9])?");
        turns = options.integer("--turns", "10", "[1-9][0-9]{0,2}");
        millis = options.number("--millis", "5", "[1-9][0-9]{0,3}");
        String file = options.take("--result", null);
        result = file == null ? null : Path.of(file);
        options.end();
        if (isMeasured()) return;
        measured.facts().put("old", args.get(1));
        measured.facts().put("new", args.get(3));
        measured.facts().put("rounds", rounds + " of two JVMs, in each " + turns + " turns of " + (int) millis
                + " ms for each version and shape, after " + warmup + " s to warm up");
    }

    private boolean isMeasured() { return !measured.rows().isEmpty(); }

    public static void main(String[] args) throws IOException {
        Versions versions = new Versions(List.of(args));
        versions.measured.facts().forEach((key, value) -> System.out.println(key + ": " + value));
        try {
            if (!versions.isMeasured()) versions.measure();
        } catch (IOException e) {
            System.err.println("versions: " + e.getMessage());
            System.exit(1);
        }
        System.exit(versions.print() ? 0 : NOT_MET);
    }

    private void measure() throws IOException {
        Children.endAfter(2 * SLOWER * rounds * secondsOfAJvm());
        for (int round = 1; round <= rounds; round++) run(round);
        if (result != null) measured.write(result);
    }

    private double secondsOfAJvm() {
        return BESIDE_SECONDS + warmup + 2 * shapes.size() * turns * millis / 1000;
    }

    /** In two JVMs: in each the other version is first, which may make it a little faster or slower. */
    private void run(int round) throws IOException {
        for (int first = 0; first < 2; first++) {
            List<String> command = new ArrayList<>(JVM);
            command.add(0, ProcessHandle.current().info().command().orElse("java"));
            command.addAll(List.of("-cp", System.getProperty("java.class.path"),
                    "-Djava.nio.channels.spi.SelectorProvider=" + MemoryProvider.class.getName(),
                    Round.class.getName(), "" + oldClasses, "" + newClasses, "" + first,
                    String.join(",", shapes), "" + warmup, "" + turns, "" + millis));
            String output = Children.succeed(command, SLOWER * secondsOfAJvm());
            output.lines().forEach(line -> measured.rows().add(row(round, line.split("\t"))));
        }
        System.out.printf("  %2d/%d  %s%n", round, rounds, shapes.stream()
                .map(shape -> shape + " " + Range.text(ratios(shape)[round - 1], 3))
                .collect(Collectors.joining("  ")));
    }

    private static Row row(int round, String[] fields) {
        if (fields.length != COLUMNS.size()) throw new IllegalStateException(String.join(" ", fields));
        Row row = new Row().set("round", "%d", round);
        for (int i = 0; i < fields.length; i++) row.values().put(COLUMNS.get(i), fields[i]);
        return row;
    }

    /** A line for each shape; false if one does not keep the limit, or is undecided. */
    private boolean print() {
        System.out.printf(Locale.ROOT, "%nCPU time of a request, new over old: the mean of all rounds, +- "
                + "half of its interval of 95 %%. It shall be at most %s, +- at most %s.%n%n", limit, width);
        System.out.printf("%-12s%-18s%9s%9s%11s%11s  %s%n", "shape", "new/old", "old, ns", "new, ns",
                "old, bytes", "new, bytes", "verdict");
        boolean met = true;
        for (String shape : shapes) {
            Ratio ratio = Ratio.of(ratios(shape));
            String verdict = ratio.verdict(limit, width);
            System.out.printf(Locale.ROOT, "%-12s%.4f +- %.4f   %9.1f%9.1f%11.1f%11.1f  %s%n", shape,
                    ratio.mean(), ratio.halfWidth(), median(shape, "old_ns"), median(shape, "new_ns"),
                    median(shape, "old_bytes"), median(shape, "new_bytes"), verdict);
            met &= verdict.equals("met");
        }
        return met;
    }

    private double median(String shape, String column) { return Range.of(values(shape, column)).median(); }

    /** Of each round: the mean of its two. */
    private double[] ratios(String shape) {
        double[] all = values(shape, "ratio");
        return IntStream.range(0, all.length / 2).mapToDouble(i -> Math.sqrt(all[2 * i] * all[2 * i + 1]))
                .toArray();
    }

    private double[] values(String shape, String column) {
        return measured.rows().stream().filter(row -> row.text("shape").equals(shape))
                .mapToDouble(row -> row.number(column)).toArray();
    }
}
