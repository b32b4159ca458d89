package org.microhttp.tools.sitearchive;

import java.io.PrintStream;
import java.util.Arrays;
import org.microhttp.tools.processes.BatchProgram;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.servertool.ServerTool;
import org.microhttp.tools.sitearchive.making.ArchiveCommand;

/**
 * Compiles a site into one file, {@code SiteArchive archive}, and serves that, {@code SiteArchive serve}.
 * {@code --help} after one of the two lists its flags.
 */
public final class SiteArchive {

    private static final String COMMANDS = """
            usage: SiteArchive archive [FLAGS]
                   SiteArchive serve [FLAGS]
              archive makes an archive of a folder of files, and serve serves it; --help after one of them
              lists its flags. archive exits with 0 if nothing failed, also if names or links were left out,
              with 1 if something could not be archived, and with 2 if no archive was made and the old one
              stays
            """;

    private static final String ALLOWED =
            "allowed: archive, which makes an archive, and serve, which serves it";

    private SiteArchive() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        String command = args.length == 0 ? "" : args[0];
        String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
        return switch (command) {
            case "archive" -> BatchProgram.run(() -> ArchiveCommand.run(out, err, rest));
            case "serve" -> new ServeCommand().run(out, err, rest);
            case "-h", "--help" -> print(out, COMMANDS);
            case "-V", "--version" -> print(out, ServerTool.version("SiteArchive") + "\n");
            case "" -> refuse(err, "a command must be given");
            default -> refuse(err, "\"" + command + "\" is no command");
        };
    }

    private static int print(PrintStream out, String text) {
        out.print(text);
        return 0;
    }

    private static int refuse(PrintStream err, String why) {
        err.println("SiteArchive: " + Report.oneLine(why) + "; " + ALLOWED);
        return 2;
    }
}
