package org.microhttp.archives;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.ResultFile;

/** The result of the benchmark: what was measured on what, a line for each size, and one for each round. */
public record ArchiveComparison(Map<String, String> facts, List<ArchiveSize> sizes,
                                List<ArchiveRound> rounds) {

    void write(Path file) throws IOException {
        Stream<String> first = Stream.concat(Stream.of(ArchiveSize.COLUMNS),
                sizes.stream().map(ArchiveSize::line));
        Stream<String> second = Stream.concat(Stream.of(ArchiveRound.COLUMNS),
                rounds.stream().map(ArchiveRound::line));
        new ResultFile(facts, Stream.concat(first, second).toList()).write(file);
    }

    public static ArchiveComparison read(Path file) throws IOException {
        ResultFile result = ResultFile.read(file);
        List<String> rows = result.rows();
        int between = rows.indexOf(ArchiveRound.COLUMNS);
        return new ArchiveComparison(result.facts(),
                rows.subList(1, between).stream().map(ArchiveSize::parse).toList(),
                rows.stream().skip(between + 1L).map(ArchiveRound::parse).toList());
    }
}
