import org.microhttp.measure.*;
import org.microhttp.measure.Range;

// Prints tables of a result file: medians of all rounds, and ratios to microhttp of the same round.

ResultFile file;

void main(String[] args) throws IOException {
    Locale.setDefault(Locale.ROOT);
    file = ResultFile.read(Path.of(args[0]));
    double rate = file.rows().stream().mapToDouble(row -> row.number("rate")).max().orElse(0);
    print("CPU time per request, µs; divided by microhttp's", 2, true,
            "hello:hello:no:cpu", "GET:get:no:cpu", "POST:post:no:cpu", "GET, logged:get:yes:cpu");
    print("requests per second", 0, false, "hello:hello:no:per_s", "GET:get:no:per_s", "POST:post:no:per_s",
            "GET, logged:get:yes:per_s");
    print("latency, µs, of GET at " + (int) rate + " requests per second", 0, false, "p50:open:no:p50_us",
            "p99:open:no:p99_us", "p99.9:open:no:p999_us", "sent late, p99.9:open:no:late_us",
            "p50, logged:open:yes:p50_us", "p99, logged:open:yes:p99_us", "p99.9, logged:open:yes:p999_us");
    List<String> memory = new ArrayList<>(List.of("start, ms:memory:no:start_ms"));
    file.rows().stream().flatMap(row -> row.values().keySet().stream()).distinct()
            .filter(name -> name.matches("(idle|rest).*"))
            .forEach(name -> memory.add(name.replace('_', ' ').replace(" kib", ", MiB:memory:no:") + name));
    memory.add("under load, MiB:get:no:resident_kib");
    print("start and memory", 0, false, memory.toArray(String[]::new));
    IO.println();
    file.facts().forEach((key, value) -> IO.println(key + ": " + value));
}

/** Each column is a title, a scenario, whether there is a log, and a figure. */
void print(String title, int digits, boolean ratios, String... columns) {
    IO.print("\n| " + title + " |");
    for (String column : columns) IO.print(" " + column.split(":")[0] + " |");
    IO.print("\n|---|" + "---:|".repeat(columns.length));
    for (String server : new LinkedHashSet<>(file.rows().stream().map(Row::server).sorted().toList())) {
        IO.print("\n| " + server + " |");
        for (String column : columns) IO.print(" " + cell(server, column.split(":"), digits, ratios) + " |");
    }
    IO.println();
}

String cell(String server, String[] column, int digits, boolean ratios) {
    Map<Integer, Double> own = rounds(server, column), base = rounds("microhttp", column);
    if (own.isEmpty()) return "";
    String median = Range.text(range(own.values()).median(), digits);
    base.keySet().retainAll(own.keySet());
    if (!ratios || base.isEmpty()) return median;
    base.replaceAll((round, value) -> own.get(round) / value);
    Range ratio = range(base.values());
    return "%s; %.2f (%.2f–%.2f)".formatted(median, ratio.median(), ratio.least(), ratio.most());
}

Range range(Collection<Double> values) {
    return Range.of(values.stream().mapToDouble(value -> value).toArray());
}

Map<Integer, Double> rounds(String server, String[] column) {
    return file.rows().stream().filter(row -> row.server().equals(server)
            && row.text("scenario").equals(column[1]) && row.text("log").equals(column[2]))
            .collect(Collectors.toMap(Row::round, row -> figure(row, column[3])));
}

double figure(Row row, String name) {
    return switch (name) {
        case "cpu" -> row.cpu() / row.number("requests") * 1e6;
        case "per_s" -> row.number("requests") / row.number("seconds");
        default -> row.number(name) / (name.endsWith("_kib") ? 1024 : 1);
    };
}
