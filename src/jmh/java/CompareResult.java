import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result file: lines {@code # key: value} that say what was measured on what, then a line per round. */
record CompareResult(Map<String, String> facts, List<CompareRound> rounds) {

    void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        facts.forEach((key, value) -> lines.add("# " + key + ": " + value));
        lines.add(CompareRound.COLUMNS);
        rounds.forEach(round -> lines.add(round.line()));
        Files.write(file, lines);
    }

    static CompareResult read(Path file) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        List<CompareRound> rounds = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] fact = line.substring(Math.min(2, line.length())).split(": ", 2);
            if (line.startsWith("# ") && fact.length == 2) facts.put(fact[0], fact[1]);
            else if (!line.equals(CompareRound.COLUMNS)) rounds.add(CompareRound.parse(line));
        }
        return new CompareResult(facts, rounds);
    }
}
