package org.microhttp.archives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.files.ExpectedAnswer;
import org.microhttp.measure.Children;

/** What is served under load: a tree, its archive as it is, without a coding, and a list of its addresses. */
final class MeasuredArchive {

    /** So many of all addresses are compared before they are asked for under load. */
    private static final int COMPARED = 20;

    final ArchivedTree tree;
    final Path archive;
    final Path list;

    MeasuredArchive(ArchivedTree tree, Path folder, double secondsAtMost) throws IOException {
        this.tree = tree;
        Files.createDirectories(folder);
        archive = folder.resolve("site.cdb");
        list = tree.list(folder.resolve("urls.txt"));
        List<String> command =
                SiteArchiveCommand.ours().archive("" + tree.root(), "" + archive, "identity");
        Children.succeed(command, secondsAtMost);
    }

    String target(ArchiveContent content) throws IOException {
        return switch (content) {
            case HELLO, ALL -> "/";
            case ONE -> tree.target(tree.ordinary());
        };
    }

    /** What has to come, some of it of all addresses. */
    List<ExpectedAnswer> expected(ArchiveContent content) throws IOException {
        if (content != ArchiveContent.ALL) {
            return List.of(new ExpectedAnswer(target(content), tree.ordinary(), "identity"));
        }
        return tree.shuffled().stream().limit(COMPARED)
                .map(file -> new ExpectedAnswer(tree.target(file), file, "identity")).toList();
    }
}
