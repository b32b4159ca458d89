package notes;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.microhttp.Handler;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.servertool.LogFlags;
import org.microhttp.tools.servertool.ServerTool;

/**
 * Keeps notes: JSON below {@code /notes}, a page with a form at {@code /}, static files below {@code
 * /static}. On SIGTERM it takes no new connections, and answers what it has. {@code --help} lists the flags.
 */
public final class NotesServer {

    private static final Flag DATA =
            Flag.of("", "--data", "DIR", "the folder of notes and their files").required();
    private static final Flag STATIC =
            Flag.of("", "--static", "DIR", "the folder that is served below /static").required();
    private static final LogFlags LOG = LogFlags.BESIDE;
    private static final List<Flag> FLAGS = List.of(DATA, STATIC, LOG.file(), LOG.style(), LOG.trust());

    private static final Duration GRACE = Duration.ofSeconds(20);

    /** Each form has a file open, and is pending. */
    private static final int MAX_PENDING = 500;

    /** A note and the fields of its request; what is uploaded has limits of its own. */
    private static final int MAX_REQUEST = 128 << 10;
    private static final int STATIC_MEMORY = 1 << 20;

    private NotesServer() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return new ServerTool("NotesServer", FLAGS, NotesServer::handler)
                .withOptions((line, options) ->
                        options.withMaxPendingRequests(MAX_PENDING).withMaxRequestSize(MAX_REQUEST))
                .withLog(LOG::log)
                .withGrace(GRACE)
                .run(out, err, args);
    }

    private static Handler handler(CommandLine line) {
        Path data = InputFile.folder(line, DATA, "");
        Path files = InputFile.folder(line, STATIC, "");
        try {
            return handler(data, files);
        } catch (IOException e) {
            throw new IllegalArgumentException(DATA + " or " + STATIC + ": " + InputFile.failure(e));
        }
    }

    /** Makes the handler of the service, for tests too. */
    public static Handler handler(Path data, Path files) throws IOException {
        return NotesHandler.of(data, FileHandler.of(files).withMemory(STATIC_MEMORY).build());
    }
}
