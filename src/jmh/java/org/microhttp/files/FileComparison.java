package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.ResultFile;

/** The result of a benchmark of files: what was measured on what, and a line per round. */
public record FileComparison(Map<String, String> facts, List<FileRound> rounds, List<ColdRound> cold) {

    void write(Path file) throws IOException {
        Stream<String> lines = Stream.concat(Stream.of(FileRound.COLUMNS),
                rounds.stream().map(FileRound::line));
        Stream<String> all = cold.isEmpty() ? lines : Stream.concat(lines,
                Stream.concat(Stream.of(ColdRound.COLUMNS), cold.stream().map(ColdRound::line)));
        new ResultFile(facts, all.toList()).write(file);
    }

    public static FileComparison read(Path file) throws IOException {
        ResultFile result = ResultFile.read(file);
        List<String> rows = result.rows();
        int between = rows.indexOf(ColdRound.COLUMNS);
        int end = between < 0 ? rows.size() : between;
        return new FileComparison(result.facts(),
                rows.subList(1, end).stream().map(FileRound::parse).toList(),
                rows.stream().skip(end + 1L).map(ColdRound::parse).toList());
    }
}
