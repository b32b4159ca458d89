package org.microhttp.versions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;
import org.microhttp.report.Range;

/**
 * Says how much CPU time a request takes of a new version of the library, compared with an old one, and
 * whether that keeps a limit. Ends with 4 if it does not, or if nothing can be said.
 */
public final class Versions {

    private static final List<String> COLUMNS =
            List.of("shape", "ratio", "old_ns", "new_ns", "old_bytes", "new_bytes");

    /** What a JVM takes to start, and once more what all takes if others have the machine. */
    private static final double BESIDE_SECONDS = 5, SLOWER = 6;

    /** The exit status where a shape has missed the limit, or is undecided. */
    private static final int NOT_MET = 4;

    private final String oldName, newName;
    private final Path oldClasses, newClasses, result;
    private final Map<String, String> facts;
    private final int rounds, turns;
    private final double limit, width, warmup, millis;
    private final List<String> shapes;
    private final List<Row> rows = new ArrayList<>();

    /** FACTS and, of each version, its name and classes; then options. */
    private Versions(List<String> args) throws IOException {
        facts = new LinkedHashMap<>(ResultFile.read(Path.of(args.get(0))).facts());
        oldName = args.get(1);
        oldClasses = Path.of(args.get(2));
        newName = args.get(3);
        newClasses = Path.of(args.get(4));
        Arguments options =
                new Arguments("usage: src/jmh/versions OLD [NEW] [OPTIONS], see src/jmh/versions --help", args, 5);
        rounds = options.integer("--rounds", "30", "[1-9][0-9]{0,2}");
        limit = options.number("--limit", "1.02", "[0-9]+([.][0-9]+)?");
        width = options.number("--width", "0.02", "[0-9]+([.][0-9]+)?");
        shapes = options.named("--shapes", "shape", Shape.titles());
        warmup = options.number("--warmup", "4", "[0-9]{1,2}([.][0-9])?");
        turns = options.integer("--turns", "10", "[1-9][0-9]{0,2}");
        millis = options.number("--millis", "10", "[1-9][0-9]{0,3}");
        String file = options.take("--result", null);
        result = file == null ? null : Path.of(file);
        options.end();
        facts.put("old", oldName);
        facts.put("new", newName);
        facts.put("rounds", rounds + ", each in a JVM of its own, of " + turns + " turns of " + (int) millis
                + " ms for each version, after " + warmup + " s to warm up");
    }

    public static void main(String[] args) throws IOException {
        Versions versions = new Versions(List.of(args));
        versions.facts.forEach((key, value) -> System.out.println(key + ": " + value));
        Children.endAfter(SLOWER * versions.rounds * versions.secondsOfARound());
        for (int round = 1; round <= versions.rounds; round++) versions.run(round);
        if (versions.result != null) new ResultFile(versions.facts, versions.rows).write(versions.result);
        System.exit(versions.print() ? 0 : NOT_MET);
    }

    private double secondsOfARound() {
        return BESIDE_SECONDS + warmup + 2 * shapes.size() * turns * millis / 1000;
    }

    /** The version that is first in a round is the other one in the next. */
    private void run(int round) throws IOException {
        String output = Children.succeed(List.of(ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-cp", System.getProperty("java.class.path"),
                "-Djava.nio.channels.spi.SelectorProvider=" + MemoryProvider.class.getName(),
                Round.class.getName(), "" + oldClasses, "" + newClasses, "" + round % 2,
                String.join(",", shapes), "" + warmup, "" + turns, "" + millis), SLOWER * secondsOfARound());
        List<Row> measured = output.lines().map(line -> row(round, line.split("\t"))).toList();
        rows.addAll(measured);
        System.out.printf("  %2d/%d  %s%n", round, rounds, measured.stream()
                .map(row -> row.text("shape") + " " + Range.text(row.number("ratio"), 3))
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
        System.out.printf(Locale.ROOT, "%nCPU time of a request, new over old: the mean of all rounds, ± half of "
                + "its interval of 95 %%. It shall be at most %s, ± at most %s.%n%n", limit, width);
        System.out.printf("%-12s%-18s%9s%9s%11s%11s  %s%n", "shape", "new/old", "old, ns", "new, ns",
                "old, bytes", "new, bytes", "verdict");
        boolean met = true;
        for (String shape : shapes) {
            Ratio ratio = Ratio.of(values(shape, "ratio"));
            String verdict = ratio.verdict(limit, width);
            System.out.printf(Locale.ROOT, "%-12s%.4f ± %.4f   %9.1f%9.1f%11.1f%11.1f  %s%n", shape,
                    ratio.mean(), ratio.halfWidth(), median(shape, "old_ns"), median(shape, "new_ns"),
                    median(shape, "old_bytes"), median(shape, "new_bytes"), verdict);
            met &= verdict.equals("met");
        }
        return met;
    }

    private double median(String shape, String column) { return Range.of(values(shape, column)).median(); }

    private double[] values(String shape, String column) {
        return rows.stream().filter(row -> row.text("shape").equals(shape))
                .mapToDouble(row -> row.number(column)).toArray();
    }
}
