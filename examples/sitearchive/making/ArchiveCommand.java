package sitearchive.making;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import shared.BatchProgram;
import shared.CommandLine;
import shared.InputFile;
import shared.Progress;
import shared.Report;
import shared.Terminal;

/**
 * The part of the program that makes an archive of a folder of files. It ends with 0; with 1 if something of
 * the site could not be archived, which does not keep the rest from it; with 2 if no archive was made, and
 * then what was there before still is.
 */
public final class ArchiveCommand {

    /** For what is begun to be left, and removed, when the program is told to end. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final ArchiveSettings settings;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> failures = new TreeMap<>();

    private ArchiveCommand(ArchiveSettings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        this.err = err;
    }

    /** Runs it as a program, which it ends unless all is well. */
    public static void run(String... arguments) {
        BatchProgram.run(() -> run(System.out, System.err, arguments), GRACE);
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            var line = new CommandLine(ArchiveFlags.ALL, arguments);
            if (line.has(ArchiveFlags.HELP)) {
                out.print(ArchiveFlags.ALL.help());
                return 0;
            }
            ArchiveSettings settings = ArchiveSettings.of(line);
            try (WorkFolder work = WorkFolder.open(settings.archive())) {
                return new ArchiveCommand(settings, out, err).run(work);
            }
        } catch (IllegalArgumentException e) {
            say(err, e.getMessage());
        } catch (IOException | InterruptedException e) {
            say(err, InputFile.reason(e));
        }
        return 2;
    }

    private int run(WorkFolder work) throws IOException, InterruptedException {
        long start = System.nanoTime();
        SourceScan scan = SourceScan.of(settings);
        failures.putAll(scan.failures);
        scan.loops.forEach((name, why) -> say(err, name + " is left out: " + why));
        var contents = new SourceContents(settings, work);
        long bytes = scan.files.stream().mapToLong(SourceFile::size).sum();
        List<SourceFile> files = contents.read(scan.files, progress(scan.files.size(), bytes));
        contents.failures.forEach((name, why) -> failures.put(name.replaceFirst("^/+", ""), why));
        SitePaths site = SitePaths.of(files, settings);
        check(!site.isEmpty());
        List<StoredPiece> due = contents.compressible(files);
        long before = due.stream().mapToLong(StoredPiece::length).sum();
        contents.encode(due, progress(due.size(), before));
        var records = new SiteRecords(settings, contents, site, scan.folders);
        Path archive = work.newArchive();
        long length = ArchiveFile.write(archive, settings.hosts(), records, work);
        work.publish(archive);
        failures.forEach((name, why) -> say(err, name + " is left out: " + why));
        if (settings.debug()) {
            out.print(ArchiveSummary.files(files, contents));
        }
        int leftOut = scan.leftOut + scan.loops.size();
        out.println("files: " + files.size() + " archived, " + leftOut + " left out, " + failures.size()
                + " failed");
        out.print(ArchiveSummary.of(records, files, length, System.nanoTime() - start));
        return failures.isEmpty() ? 0 : 1;
    }

    private void check(boolean something) {
        if (!something) {
            failures.forEach((name, why) -> say(err, name + " is left out: " + why));
            throw new IllegalArgumentException(ArchiveFlags.SOURCES + " is \"" + settings.sources()
                    + "\", in which is nothing to archive; allowed: a folder with files");
        }
    }

    private Progress progress(int files, long bytes) {
        Progress.Kind kind = Terminal.isThere() ? Progress.Kind.REWRITTEN : Progress.Kind.LINES;
        return new Progress(out, settings.progress() ? kind : Progress.Kind.NONE, files, bytes);
    }

    private static void say(PrintStream err, String what) {
        if (!BatchProgram.isEnding()) {
            err.println("SiteArchive archive: " + Report.oneLine(what));
        }
    }
}
