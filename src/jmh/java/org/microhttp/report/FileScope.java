package org.microhttp.report;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.microhttp.files.FileCase;
import org.microhttp.files.FilePart;
import org.microhttp.files.FilePeer;

/** What the benchmark of files was run on, by its result: the page speaks of that alone. */
final class FileScope {

    private static final String TLS = """
            Over TLS each server is behind an HAProxy of its own, on the same CPU, which keeps its connections
            to the server open: what the server costs and what HAProxy costs are counted apart. HAProxy has
            two descriptors for a client.

            """;

    private static final String PYTHON = """
            Python's http.server takes part on up to 20 connections, each for one request: it speaks HTTP/1.0,
            and its listen queue has five places.

            """;

    private static final String MANY = """
            1.5 MB on COUNT connections would measure the kernel's memory for sockets, and is not asked
            for.

            """;

    private static final String MANY_TLS = """
            1.5 MB on COUNT connections would measure the kernel's memory for sockets, and that many
            handshakes at once the proxy, so over TLS they are asked for the smallest files alone, and kept.

            """;

    private final FileFigures figures;
    private final List<FileCase> matrix;

    FileScope(FileFigures figures) {
        this.figures = figures;
        matrix = figures.cases(FilePart.MATRIX);
    }

    /** Whether a cell of the short table is of several numbers of connections. */
    boolean hasCounts() { return matrix.stream().map(FileCase::connections).distinct().count() > 1; }

    boolean hasTls() { return figures.cases().stream().anyMatch(FileCase::tls); }

    /** Whether the descriptors did not allow all connections. */
    boolean hasFewer() {
        return matrix.stream().anyMatch(asked -> figures.reached(asked) < asked.connections());
    }

    boolean has(FilePart part) { return !figures.cases(part).isEmpty(); }

    String text() {
        StringBuilder text = new StringBuilder();
        if (!matrix.isEmpty()) text.append(matrix());
        if (hasTls()) text.append(TLS);
        if (figures.peers().contains(FilePeer.PYTHON)) text.append(PYTHON);
        matrix.stream().filter(FileCase::isMany).mapToInt(FileCase::connections).max().ifPresent(count -> {
            boolean secured = matrix.stream().anyMatch(asked -> asked.isMany() && asked.tls());
            text.append((secured ? MANY_TLS : MANY).replace("COUNT", FileFigures.whole(count)));
        });
        return text.toString();
    }

    private String matrix() {
        List<Integer> counts = matrix.stream().map(FileCase::connections).distinct().sorted().toList();
        String connections = counts.stream().map(count -> FileFigures.whole(count))
                .collect(Collectors.joining(" / "));
        boolean one = counts.equals(List.of(1));
        return "Asked for: " + all(asked -> asked.content().title) + ".\nOn " + connections
                + (one ? " connection: " : " connections: ") + all(FileCase::persistence) + "; "
                + all(FileCase::transport) + ".\n\n";
    }

    private String all(Function<FileCase, String> part) {
        return matrix.stream().map(part).distinct().collect(Collectors.joining(", "));
    }
}
