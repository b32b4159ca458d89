package sitearchive;

import java.util.Arrays;
import reporting.Report;
import servertool.ServerTool;
import sitearchive.making.ArchiveCommand;

/**
 * Compiles a site into one file, {@code SiteArchive archive}, and serves that, {@code SiteArchive serve}.
 * {@code --help} behind one of the two lists its flags.
 */
public final class SiteArchive {

    private static final String COMMANDS = """
            usage: SiteArchive archive [FLAGS]
                   SiteArchive serve [FLAGS]
              archive makes an archive of a folder of files, and serve serves it; --help behind one of them
              lists its flags
            """;

    private static final String ALLOWED =
            "allowed: archive, which makes an archive, and serve, which serves it";

    private SiteArchive() {
    }

    public static void main(String[] args) {
        String command = args.length == 0 ? "" : args[0];
        String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
        switch (command) {
            case "archive" -> ArchiveCommand.run(rest);
            case "serve" -> new ServeCommand().run(rest);
            case "-h", "--help" -> System.out.print(COMMANDS);
            case "-V", "--version" -> System.out.println(ServerTool.version("SiteArchive"));
            case "" -> refuse("a command must be given");
            default -> refuse("\"" + command + "\" is no command");
        }
    }

    private static void refuse(String why) {
        System.err.println("SiteArchive: " + Report.oneLine(why) + "; " + ALLOWED);
        System.exit(2);
    }
}
