import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The result of a comparison: what was measured on what, and a line per round. */
record CompareResult(Map<String, String> facts, List<CompareRound> rounds) {

    void write(Path file) throws IOException {
        Stream<String> lines = rounds.stream().map(CompareRound::line);
        new ResultFile(facts, Stream.concat(Stream.of(CompareRound.COLUMNS), lines).toList()).write(file);
    }

    static CompareResult read(Path file) throws IOException {
        ResultFile result = ResultFile.read(file);
        return new CompareResult(result.facts(), result.rows().stream()
                .filter(row -> !row.equals(CompareRound.COLUMNS)).map(CompareRound::parse).toList());
    }
}
