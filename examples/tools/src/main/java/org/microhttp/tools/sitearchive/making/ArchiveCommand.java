package org.microhttp.tools.sitearchive.making;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.BatchProgram;
import org.microhttp.tools.reporting.Progress;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.reporting.Terminal;

/**
 * The part of the program that makes an archive of a folder of files. It ends with 0; with 1 if something of
 * the site could not be archived, which does not keep the rest from it; with 2 if no archive was made, and
 * then what was there before still is.
 */
public final class ArchiveCommand {

    private final ArchiveSettings settings;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, String> failures = new TreeMap<>();

    /** What is printed when all is done. */
    private String summary;

    private ArchiveCommand(ArchiveSettings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        this.err = err;
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        long start = System.nanoTime();
        try {
            var line = new CommandLine(ArchiveFlags.ALL, arguments);
            if (line.has(ArchiveFlags.HELP)) {
                out.print(ArchiveFlags.ALL.help());
                return 0;
            }
            ArchiveSettings settings = ArchiveSettings.of(line);
            return new ArchiveCommand(settings, out, err).run(start);
        } catch (IllegalArgumentException e) {
            say(err, e.getMessage());
        } catch (InterruptedException e) {
            say(err, "it was interrupted");
        } catch (OutOfMemoryError e) {
            say(err, "there is not enough memory for so many files, or for a list; more is given as by"
                    + " JDK_JAVA_OPTIONS=-Xmx4g");
        }
        return 2;
    }

    private int run(long start) throws InterruptedException {
        try (WorkFolder work = WorkFolder.open(settings.archive())) {
            run(work);
        } catch (IOException e) {
            throw new IllegalArgumentException(ArchiveFlags.ARCHIVE + " cannot be written as \""
                    + settings.archive() + "\": " + InputFile.failure(settings.archive(), e), e);
        }
        out.print(summary + ArchiveSummary.time(System.nanoTime() - start));
        return failures.isEmpty() ? 0 : 1;
    }

    /** What goes wrong with the files of the site is no exception, or one with a message for the user. */
    private void run(WorkFolder work) throws IOException, InterruptedException {
        SourceScan scan = SourceScan.of(settings, new Progress(out, progressKind(), "found"));
        failures.putAll(scan.failures);
        List<Redirect> redirects = redirects(scan.redirects);
        var contents = new SourceContents(settings, work);
        long bytes = scan.files.stream().mapToLong(SourceFile::size).sum();
        List<SourceFile> files = contents.read(scan.files, progress("read", scan.files.size(), bytes));
        contents.failures.forEach((name, why) -> failures.put(shown(name), why));
        SitePaths site = SitePaths.of(files, redirects, settings);
        site.idle.forEach(file -> scan.leftOut.put(
                shown(file.name()), "the wildcard in its folder answers what it would"));
        scan.leftOut.forEach((name, why) -> say(err, name + " is left out: " + why));
        scan.outside.forEach((name, target) ->
                say(err, name + " is followed out of the sources, to " + target));
        check(!site.isEmpty());
        List<StoredPiece> due = contents.compressible(site.archived);
        long before = due.stream().mapToLong(StoredPiece::length).sum();
        contents.encode(due, progress("compressed", due.size(), before));
        var records = new SiteRecords(settings, contents, site, scan.folders);
        Path archive = work.newArchive();
        long length = ArchiveFile.write(archive, settings.hosts(), records, work);
        work.publish(archive);
        tell(scan, site, contents);
        summary = ArchiveSummary.of(records, site.archived, length);
    }

    private void tell(SourceScan scan, SitePaths site, SourceContents contents) {
        tellFailures();
        if (settings.debug()) {
            out.print(ArchiveSummary.files(site.archived, contents));
            scan.leftOutByName.forEach(name -> out.println(Report.oneLine(name) + ": left out for its name"));
        }
        int leftOut = scan.leftOutByName.size() + scan.leftOut.size();
        out.println("files: " + site.archived.size() + " archived, " + leftOut + " left out, "
                + failures.size() + " failed");
    }

    private List<Redirect> redirects(List<SourceFile> lists) {
        List<Redirect> redirects = new ArrayList<>();
        for (SourceFile list : lists) {
            try {
                redirects.addAll(RedirectLines.read(list, Files.readAllBytes(list.file())));
            } catch (IOException e) {
                failures.put(shown(list.name()), InputFile.reason(e));
            }
        }
        return redirects;
    }

    /** A name from the folder of the sources on. */
    private static String shown(String name) {
        return name.replaceFirst("^/+", "");
    }

    private void tellFailures() {
        failures.forEach((name, why) -> say(err, name + " cannot be archived: " + why));
    }

    private void check(boolean something) {
        if (!something) {
            tellFailures();
            throw new IllegalArgumentException(ArchiveFlags.SOURCES + " is \"" + settings.sources()
                    + "\", in which is nothing to archive; allowed: a folder with files");
        }
    }

    private Progress progress(String what, int files, long bytes) {
        return new Progress(out, progressKind(), what, files, bytes);
    }

    private Progress.Kind progressKind() {
        if (!settings.progress()) {
            return Progress.Kind.NONE;
        }
        return Terminal.isThere() ? Progress.Kind.REWRITTEN : Progress.Kind.LINES;
    }

    private static void say(PrintStream err, String what) {
        if (!BatchProgram.isEnding()) {
            err.println("SiteArchive archive: " + Report.oneLine(what));
        }
    }
}
