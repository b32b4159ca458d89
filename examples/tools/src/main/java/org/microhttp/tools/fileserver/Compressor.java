package org.microhttp.tools.fileserver;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.filesystem.VariantCache;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.Encoder;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.BatchProgram;
import org.microhttp.tools.reporting.Progress;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.reporting.Terminal;

/**
 * The part of the program that compresses: makes the variants of a site's files in the cache, as far as they
 * are not there yet, and removes those of files that are gone. It ends with 0; with 1 if a file failed, which
 * does not keep it from the others; with 2 if a flag is wrong, before anything is done.
 */
public final class Compressor {

    private final CompressSettings settings;
    private final CacheFolder folder;
    private final VariantCache cache;
    private final PrintStream out;
    private final PrintStream err;

    /** Every file in the version that its variants are of. */
    private final List<FoundFile> done = new ArrayList<>();
    private int compressed;
    private int failed;

    private Compressor(CompressSettings settings, CacheFolder folder, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.folder = folder;
        this.out = out;
        this.err = err;
        cache = new VariantCache(settings.cache());
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... arguments) {
        try {
            var line = new CommandLine(CompressFlags.ALL, arguments);
            if (line.has(CompressFlags.HELP)) {
                out.print(CompressFlags.ALL.help());
                return 0;
            }
            CompressSettings settings = CompressSettings.of(line);
            try (CacheFolder folder = CacheFolder.open(settings.cache())) {
                return new Compressor(settings, folder, out, err).run();
            }
        } catch (IllegalArgumentException e) {
            say(err, e.getMessage());
            return 2;
        } catch (IOException | InterruptedException e) {
            say(err, InputFile.failure(e));
            return 1;
        }
    }

    private int run() throws IOException, InterruptedException {
        SiteScan scan = SiteScan.of(settings);
        folder.removeParts();
        scan.failures.forEach(this::fail);
        // what cannot be looked at is not gone
        Set<Path> paths = paths(scan);
        boolean whole = failed == 0;
        int removed = folder.removeAllBut(path -> paths.contains(path) || !whole && !isClosed(path, scan));
        Set<String> found = scan.files.stream().map(file -> "" + file.path()).collect(toSet());
        try (var versions = new VariantVersions(folder, settings.cache(), whole ? found : null)) {
            make(scan.files, new VariantMaker(settings, folder, versions, paths, available()));
        }
        int unchanged = done.size() - compressed;
        out.println("files: " + compressed + " compressed, " + unchanged + " unchanged, " + scan.skipped
                + " skipped, " + failed + " failed; variants: " + removed + " removed");
        if (!scan.closed.isEmpty()) {
            String names = scan.closed.stream().map(Path::toString).sorted().collect(joining(", "));
            out.println("folders: " + scan.closed.size() + " left out, which only some users may enter: "
                    + Report.oneLine(names));
        }
        out.print(CompressSummary.table(cache, done));
        return failed == 0 ? 0 : 1;
    }

    /** Whether a variant is one of a file that only some users may reach. */
    private boolean isClosed(Path variant, SiteScan scan) {
        return scan.closed.stream().anyMatch(folder -> variant.startsWith(settings.cache().resolve(folder)));
    }

    /** The paths that variants may have. One that is that of a folder is the folder's. */
    private Set<Path> paths(SiteScan scan) {
        Set<Path> paths = new HashSet<>();
        for (FoundFile file : scan.files) {
            for (Coding coding : VariantCache.CODINGS) {
                paths.add(cache.path(file.path().toString(), coding));
            }
        }
        for (Path inside : scan.folders) {
            paths.remove(settings.cache().resolve(inside));
        }
        return paths;
    }

    private List<Coding> available() throws InterruptedException {
        List<Coding> codings = new ArrayList<>();
        for (Coding coding : VariantCache.CODINGS) {
            if (Encoder.isAvailable(coding)) {
                codings.add(coding);
            } else {
                say(err, "without the program " + Encoder.program(coding) + " nothing is compressed by it;"
                        + " it is in the package of this name");
            }
        }
        return codings;
    }

    /** The largest first, so that no job is left alone with it at the end. */
    private List<FoundFile> due(List<FoundFile> files, VariantMaker maker) throws IOException {
        List<FoundFile> due = new ArrayList<>();
        for (FoundFile file : files) {
            if (!maker.missing(file).isEmpty()) {
                due.add(file);
                continue;
            }
            try {
                maker.giveRights(file);
                done.add(file);
            } catch (IOException e) {
                fail(file.path(), e);
            }
        }
        due.sort(Comparator.comparingLong(Compressor::size).reversed());
        return due;
    }

    private void make(List<FoundFile> files, VariantMaker maker) throws IOException, InterruptedException {
        List<FoundFile> due = due(files, maker);
        long bytes = due.stream().mapToLong(Compressor::size).sum();
        Progress.Kind kind = Terminal.isThere() ? Progress.Kind.REWRITTEN : Progress.Kind.NONE;
        var progress = new Progress(out, kind, "", due.size(), bytes);
        ExecutorService workers = Executors.newFixedThreadPool(settings.jobs());
        Map<FoundFile, Future<FoundFile>> tasks = new LinkedHashMap<>();
        for (FoundFile file : due) {
            tasks.put(file, workers.submit(() -> make(file, maker, progress)));
        }
        try {
            await(tasks, progress);
        } finally {
            // what they are at is over before anything is removed
            workers.shutdownNow();
            workers.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            progress.erase();
        }
    }

    private void await(Map<FoundFile, Future<FoundFile>> tasks, Progress progress)
            throws IOException, InterruptedException {
        for (Map.Entry<FoundFile, Future<FoundFile>> task : tasks.entrySet()) {
            try {
                FoundFile made = task.getValue().get();
                if (made != null) {
                    done.add(made);
                    compressed++;
                }
            } catch (ExecutionException e) {
                progress.erase();
                BatchProgram.requireRunning();
                fail(task.getKey().path(), e.getCause());
            }
        }
    }

    private static FoundFile make(FoundFile file, VariantMaker maker, Progress progress)
            throws IOException, InterruptedException {
        BatchProgram.requireRunning();
        try {
            return maker.make(file);
        } finally {
            progress.done(size(file));
        }
    }

    private static long size(FoundFile file) {
        return file.version().size();
    }

    private void fail(Path name, Throwable why) {
        failed++;
        say(err, name + ": " + InputFile.failure(name, why));
    }

    private static void say(PrintStream err, String what) {
        if (!BatchProgram.isEnding()) {
            err.println("FileServer compress: " + Report.oneLine(what));
        }
    }
}
