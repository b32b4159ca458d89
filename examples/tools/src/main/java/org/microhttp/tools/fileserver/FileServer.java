package org.microhttp.tools.fileserver;

import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.BatchProgram;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.servertool.ServerTool;

/**
 * Serves a folder of files: {@code FileServer --root DIR}. {@code --help} lists the flags. With
 * {@code compress} as the first argument it makes the compressed variants that it then serves.
 */
public final class FileServer {

    /** There is no use for a body, and fields have a limit of their own below it. */
    private static final int MAX_REQUEST = 64 << 10;

    /** Bytes a second: who takes less would keep a file open for hours. */
    private static final int MIN_RATE = 500;

    /** For what is being sent when it is told to end. */
    private static final Duration GRACE = Duration.ofSeconds(8);

    private FileServer() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        if (args.length > 0 && args[0].equals("compress")) {
            String[] rest = Arrays.copyOfRange(args, 1, args.length);
            return BatchProgram.run(() -> Compressor.run(out, err, rest));
        }
        return new ServerTool("FileServer", FileFlags.ALL, line -> handler(line, err))
                .withOptions(FileServer::change)
                .withLog(FileFlags.LOG::log)
                .withGrace(GRACE)
                .withOthers("FileServer compress")
                .run(out, err, args);
    }

    private static Options change(CommandLine line, Options options) {
        return options.withMaxRequestSize(MAX_REQUEST).withMinSendRate(MIN_RATE);
    }

    private static Handler handler(CommandLine line, PrintStream err) {
        FileArguments arguments = FileArguments.of(line);
        warn(arguments, err);
        arguments.builder().withFailures((path, failure) -> say(err, path, failure));
        return arguments.handler();
    }

    private static void say(PrintStream err, String path, Exception failure) {
        // for all paths, without the file that it was found with
        String cause = path.isEmpty()
                ? InputFile.reason(failure)
                : path + ": " + InputFile.failure(named(path), failure);
        err.println("FileServer: " + Report.oneLine(cause));
    }

    /** The name of a file as a path has it; null where it can be none. */
    private static Path named(String path) {
        try {
            return Path.of(path.substring(path.lastIndexOf('/') + 1));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** Tells of what is not wrong, but makes files be missing. */
    private static void warn(FileArguments arguments, PrintStream err) {
        if (arguments.cache() != null && !CacheFolder.isMade(arguments.cache())) {
            err.println("FileServer: " + FileFlags.CACHE + " is \"" + arguments.cache()
                    + "\", which FileServer compress has not made; there may be no variants in it");
        }
        try {
            // only an encoding of all characters has this one
            Path.of("\uD83D\uDE00");
        } catch (InvalidPathException e) {
            err.println("FileServer: files whose names are not ASCII are not found in this locale;"
                    + " take one of UTF-8, as by LC_ALL=C.UTF-8");
        }
    }
}
