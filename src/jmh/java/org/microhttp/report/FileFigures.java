package org.microhttp.report;

import java.util.List;
import org.microhttp.files.FileCase;
import org.microhttp.files.FileComparison;
import org.microhttp.files.FilePart;
import org.microhttp.files.FilePeer;
import org.microhttp.files.FileRound;

/** The figures of the benchmark of files. */
final class FileFigures extends RunFigures<FileCase, FilePeer, FileRound> {

    final FileComparison result;

    FileFigures(FileComparison result) {
        super(result.rounds());
        this.result = result;
    }

    List<FileCase> cases(FilePart part) {
        return cases().stream().filter(asked -> asked.part() == part).toList();
    }

    List<FilePeer> peers(FilePart part) {
        return result.rounds().stream().filter(round -> round.asked().part() == part)
                .map(FileRound::peer).distinct().sorted().toList();
    }

    /** How many connections there were in fact. */
    int reached(FileCase asked) { return of(asked).stream().mapToInt(FileRound::reached).max().orElse(0); }
}
