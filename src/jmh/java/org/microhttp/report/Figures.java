package org.microhttp.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.microhttp.compare.Case;
import org.microhttp.compare.Comparison;
import org.microhttp.compare.Server;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;

/**
 * The figures of servers in cases: medians over the rounds, and ratios, each of two runs of the same round. A
 * server that had errors in a case, or misses a round of it and is no guest, has no figure there.
 */
final class Figures {

    static final ToDoubleFunction<Row> COST = row -> row.cpu() / row.number("answers") * 1e6;
    static final ToDoubleFunction<Row> RATE = row -> row.number("answers") / row.number("seconds");
    static final ToDoubleFunction<Row> MEGABYTES = row -> row.number("bytes") / row.number("seconds") / 1e6;

    private final ResultFile result;
    private final List<Server> servers;
    private final Map<Case, List<Row>> runs = new LinkedHashMap<>();

    Figures(ResultFile result, Comparison comparison) {
        this(result, comparison.servers, comparison::answers);
    }

    /** @param answers  how many requests were answered in a run */
    Figures(ResultFile result, List<Server> servers, ToDoubleFunction<Row> answers) {
        this.result = result;
        this.servers = servers;
        for (Row row : result.rows()) {
            if (row.round() == 0) continue;
            Case asked = Case.of(row);
            row.set("answers", "%s", answers.applyAsDouble(row));
            runs.computeIfAbsent(asked, key -> new ArrayList<>()).add(row);
        }
    }

    ResultFile result() { return result; }

    List<Case> cases() { return List.copyOf(runs.keySet()); }

    List<Case> cases(String column, String value) {
        return runs.keySet().stream().filter(asked -> asked.is(column, value)).toList();
    }

    /** Cases that have something in common, by what that is. */
    static Map<String, List<Case>> groups(List<Case> cases, Function<Case, String> common) {
        return cases.stream()
                .collect(Collectors.groupingBy(common, LinkedHashMap::new, Collectors.toList()));
    }

    /** Those that were measured in one of the cases, in the order of the tables. */
    List<Server> servers(List<Case> cases) {
        return servers.stream().filter(server -> cases.stream().flatMap(asked -> runs.get(asked).stream())
                .anyMatch(row -> row.server().equals(server.name()))).toList();
    }

    /** The number of connections, and in brackets how many there were in fact if these were fewer. */
    String connections(Case asked) {
        String all = Range.grouped(asked.connections());
        double reached = Range.of(values(runs.get(asked), "reached")).most();
        return reached < asked.connections() ? all + " (" + Range.grouped(reached) + ")" : all;
    }

    boolean isShared(Case asked) {
        return runs.get(asked).stream().anyMatch(row -> row.text("cpus").equals("shared"));
    }

    double errors(Case asked, Server server) {
        return Arrays.stream(values(rows(asked, server), "errors")).sum();
    }

    private static double[] values(List<Row> rows, String column) {
        return rows.stream().mapToDouble(row -> row.number(column)).toArray();
    }

    private List<Row> rows(Case asked, Server server) {
        return runs.getOrDefault(asked, List.of()).stream()
                .filter(row -> row.server().equals(server.name())).toList();
    }

    private List<Row> valid(Case asked, Server server) {
        List<Row> own = rows(asked, server);
        long rounds = runs.getOrDefault(asked, List.of()).stream().map(Row::round).distinct().count();
        boolean valid = (server.isGuest() || own.size() == rounds) && own.stream()
                .allMatch(row -> row.number("errors") == 0 && row.number("answers") > 0);
        return valid ? own : List.of();
    }

    /** Null without a valid figure. */
    Range range(Case asked, Server server, ToDoubleFunction<Row> figure) {
        return Range.of(valid(asked, server).stream().mapToDouble(figure).toArray());
    }

    /** Of each round in which both have a valid figure. */
    double[] ratios(Case asked, Server server, Server other, ToDoubleFunction<Row> figure) {
        Map<Integer, Double> others = valid(asked, other).stream()
                .collect(Collectors.toMap(Row::round, figure::applyAsDouble));
        return valid(asked, server).stream().filter(row -> others.containsKey(row.round()))
                .mapToDouble(row -> figure.applyAsDouble(row) / others.get(row.round())).toArray();
    }

    /** Null without such a round. */
    Range ratio(Case asked, Server server, Server other, ToDoubleFunction<Row> figure) {
        return Range.of(ratios(asked, server, other, figure));
    }

    /** What a request takes of a column of seconds, in µs: of all rounds together, for one is some ticks. */
    double mean(Case asked, Server server, String column) {
        List<Row> rows = valid(asked, server);
        double seconds = Arrays.stream(values(rows, column)).sum();
        return seconds / Arrays.stream(values(rows, "answers")).sum() * 1e6;
    }

    /** The least and the most of the medians of several cases. */
    String extremes(List<Case> cases, Server server, Server other, ToDoubleFunction<Row> figure) {
        return Range.extremes(Range.of(cases.stream().map(asked -> ratio(asked, server, other, figure))
                .filter(range -> range != null).mapToDouble(Range::median).toArray()));
    }

    /** What follows a figure: its ratio to another server's, which has none itself. */
    String behind(Case asked, Server server, Server other, ToDoubleFunction<Row> figure) {
        Range ratio = ratio(asked, server, other, figure);
        return server.equals(other) || ratio == null ? "" : "; " + Range.text(ratio);
    }

    /**
     * What failed, what it was measured on, the versions of programs, and where every round is.
     *
     * @param link from the page to the result file
     */
    String measured(List<String> programs, String link) {
        String failed = result.facts().get("failed"), tree = result.facts().get("tree");
        String shared = cases().stream().filter(this::isShared).map(asked -> asked.get("threads")).distinct()
                .collect(Collectors.joining(" or "));
        String versions = servers(cases()).stream().filter(server -> !server.isJava())
                .map(server -> server.title() + " " + result.fact(server.name()))
                .collect(Collectors.joining(", "));
        String others = programs.stream()
                .map(program -> program.replace("haproxy", "HAProxy") + " " + result.fact(program))
                .collect(Collectors.joining(", "));
        return (failed == null ? "" : "Not measured, and shown as –: " + failed + ".\n\n")
                + result.measured("rounds: " + result.fact("rounds"))
                + "Programs: " + (versions.isEmpty() ? "" : versions + ", ") + others + ".\n"
                + (tree == null ? "" : "Archived: " + tree + ".\n")
                + (shared.isEmpty() ? "" : "With " + shared
                        + " threads the load generator shares the CPUs of the servers.\n")
                + "Every round: [" + link.replaceFirst(".*/", "") + "](" + link + ").\n\n";
    }
}
