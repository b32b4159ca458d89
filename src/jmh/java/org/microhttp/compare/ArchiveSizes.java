package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;
import org.microhttp.measure.PinnedServer;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;

/**
 * How long it takes to make an archive of a tree, and how large it is, beside what tar and bzip2 make of it;
 * whether tinycdb finds as many records as there are; whether every address is answered as it should be. Each
 * is a line of the result file, in which 0 is what does not apply.
 */
final class ArchiveSizes {

    /** Codings as {@code --compress} takes them, and as they are asked for then. */
    private static final List<String> ARCHIVES =
            List.of("identity", "gzip", "brotli", "identity,gzip,brotli");
    private static final Map<String, String> ASKED =
            Map.of("identity", "identity", "gzip", "gzip", "brotli", "br");

    private static final List<String> COUNTS =
            List.of("bytes", "files", "records", "tinycdb_records", "answers", "coded_answers");

    private final Plan plan;
    private final ArchivedTree tree;
    private final ResultFile result;
    private final List<String> problems;

    ArchiveSizes(Plan plan, ArchivedTree tree, ResultFile result, List<String> problems) {
        this.plan = plan;
        this.tree = tree;
        this.result = result;
        this.problems = problems;
    }

    void run() throws IOException {
        add("tree", 0, tree.bytes(), tree.files(), 0, 0, 0, 0);
        if (isInstalled("tar") && isInstalled("bzip2")) {
            Path tar = plan.folder().resolve("tree.tar.bz2");
            double seconds = seconds(List.of("tar", "-cjf", "" + tar, "-C", "" + tree.root(), "."));
            add("tar.bz2", seconds, Files.size(tar), 0, 0, 0, 0, 0);
        }
        for (String codings : ARCHIVES) {
            boolean missing = codings.contains("brotli") && !isInstalled("brotli");
            if (missing) continue;
            try {
                measure(codings);
            } catch (IOException e) {
                problems.add("SiteArchive, " + codings + ": " + e.getMessage().replaceAll("\\s+", " "));
            }
        }
    }

    private boolean isInstalled(String program) { return result.facts().containsKey(program); }

    private void add(String what, double seconds, long... counts) {
        Row row = new Row().set("what", what).set("seconds", "%.2f", seconds);
        for (int i = 0; i < counts.length; i++) row.set(COUNTS.get(i), "%d", counts[i]);
        result.rows().add(row);
        System.out.println(row.values());
    }

    private void measure(String codings) throws IOException {
        Path archive = plan.folder().resolve("sizes.cdb");
        double seconds = seconds(archive(tree, archive, codings));
        CountedRecords records = CountedRecords.of(archive, isInstalled("cdb"));
        int port = PinnedServer.freePort();
        List<String> command = Programs.command(ArchiveComparison.MAPPED.command(), Map.of("HEAP", "256m",
                "ARCHIVE", "" + archive, "PORT", "" + port, "THREADS", "1", "CLASSES", classes()));
        PinnedServer server = new PinnedServer(command, Files.createTempDirectory("sizes"), port,
                String.join(",", plan.cpus()), plan.secondsAtMost());
        var addresses = new EveryAddress(tree, port);
        try {
            for (String coding : codings.split(",")) addresses.compare(ASKED.get(coding));
        } finally {
            server.end();
        }
        add(codings, seconds, Files.size(archive), 0, records.ours(), records.tinycdb(), addresses.answers,
                addresses.coded);
    }

    private double seconds(List<String> command) throws IOException {
        long start = System.nanoTime();
        Children.succeed(command, plan.secondsAtMost());
        return (System.nanoTime() - start) / 1e9;
    }

    /** {@return the command that makes an archive} */
    static List<String> archive(ArchivedTree tree, Path archive, String codings) {
        return Programs.command("java -cp CLASSES org.microhttp.tools.sitearchive.SiteArchive archive "
                + "--sources ROOT "
                + "--archive ARCHIVE --compress CODINGS", Map.of("CLASSES", classes(),
                "ROOT", "" + tree.root(), "ARCHIVE", "" + archive, "CODINGS", codings));
    }

    private static String classes() { return System.getProperty("java.class.path"); }
}
