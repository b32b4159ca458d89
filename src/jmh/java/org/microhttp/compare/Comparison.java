package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.ResultFile;

/** The result of a comparison: what was measured on what, and a line per round. */
public record Comparison(Map<String, String> facts, List<Round> rounds) {

    void write(Path file) throws IOException {
        Stream<String> lines = rounds.stream().map(Round::line);
        new ResultFile(facts, Stream.concat(Stream.of(Round.COLUMNS), lines).toList()).write(file);
    }

    public static Comparison read(Path file) throws IOException {
        ResultFile result = ResultFile.read(file);
        return new Comparison(result.facts(), result.rows().stream()
                .filter(row -> !row.equals(Round.COLUMNS)).map(Round::parse).toList());
    }
}
