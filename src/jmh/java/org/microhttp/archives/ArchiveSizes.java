package org.microhttp.archives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.microhttp.measure.Children;
import org.microhttp.measure.PinnedServer;

/**
 * How long it takes to make an archive of a tree, and how large it is, beside what tar and bzip2 make of it;
 * whether tinycdb finds as many records as there are; whether every address is answered as it should be.
 */
final class ArchiveSizes {

    /** Codings as {@code --compress} takes them, and as they are asked for then. */
    private static final List<String> ARCHIVES =
            List.of("identity", "gzip", "brotli", "identity,gzip,brotli");
    private static final Map<String, String> ASKED =
            Map.of("identity", "identity", "gzip", "gzip", "brotli", "br");

    private final ArchivePlan plan;
    private final ArchivedTree tree;
    private final Path folder;
    private final List<ArchiveSize> sizes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    ArchiveSizes(ArchivePlan plan, ArchivedTree tree, Path folder) {
        this.plan = plan;
        this.tree = tree;
        this.folder = folder;
    }

    List<ArchiveSize> sizes() { return sizes; }

    List<String> problems() { return problems; }

    void run() throws IOException {
        add(new ArchiveSize("tree", 0, tree.bytes(), tree.files(), 0, 0, 0, 0));
        if (Children.isInstalled("tar") && Children.isInstalled("bzip2")) {
            Path tar = folder.resolve("tree.tar.bz2");
            double seconds = seconds(List.of("tar", "-cjf", "" + tar, "-C", "" + tree.root(), "."));
            add(new ArchiveSize("tar.bz2", seconds, Files.size(tar), 0, 0, 0, 0, 0));
            Files.delete(tar);
        }
        for (String codings : ARCHIVES) {
            boolean missing = codings.contains("brotli") && !Children.isThere("brotli", codings);
            if (missing) continue;
            try {
                add(archive(codings));
            } catch (IOException e) {
                problems.add("SiteArchive, " + codings + ": " + e.getMessage().replaceAll("\\s+", " "));
            }
        }
    }

    private void add(ArchiveSize size) {
        sizes.add(size);
        System.out.printf(Locale.ROOT, "%-20s %7.2f s, %,13d bytes, %,d records, of tinycdb %,d, "
                + "%,d answers, %,d of them coded%n", size.what(), size.seconds(), size.bytes(),
                size.records(), size.tinycdb(), size.answers(), size.coded());
    }

    private ArchiveSize archive(String codings) throws IOException {
        Path archive = folder.resolve("sizes.cdb");
        double seconds =
                seconds(SiteArchiveCommand.ours().archive("" + tree.root(), "" + archive, codings));
        CountedRecords records = CountedRecords.of(archive);
        boolean differ = records.tinycdb() > 0 && records.tinycdb() != records.ours();
        if (differ) throw new IOException(records.ours() + " records, of tinycdb " + records.tinycdb());
        int port = PinnedServer.freePort();
        Path output = Files.createTempDirectory("sizes");
        PinnedServer server = new PinnedServer(
                SiteArchiveCommand.ours().serve(ArchivePeer.MAPPED, archive, port, 1), output, port,
                String.join(",", plan.cpus()), plan.secondsAtMost());
        var addresses = new EveryAddress(tree, port);
        try {
            for (String coding : codings.split(",")) addresses.compare(ASKED.get(coding));
        } finally {
            addresses.end();
            server.end();
        }
        return new ArchiveSize(codings, seconds, Files.size(archive), 0, records.ours(), records.tinycdb(),
                addresses.answers(), addresses.coded());
    }

    private double seconds(List<String> command) throws IOException {
        long start = System.nanoTime();
        Children.succeed(command, plan.secondsAtMost());
        return (System.nanoTime() - start) / 1e9;
    }
}
