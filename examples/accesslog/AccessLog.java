package accesslog;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.microhttp.Header;
import org.microhttp.Logger;
import org.microhttp.Response;
import shared.CommandLine;
import shared.Flag;
import shared.InputFile;
import shared.ServerTool;

/**
 * Answers every request with the same few octets, and writes an access log. {@code --help} lists the flags.
 * What a server of your own takes from here is {@link AccessLogger}, in the place of its logger.
 */
public final class AccessLog {

    private static final Flag FORMAT = Flag.of("-f", "--format", "common|combined|json",
            "how lines look, default combined");

    private static final Flag LOG_FILE = Flag.of("-l", "--log-file", "FILE",
            "the file to append to, which may be rotated; default: standard output");

    private static final Flag TRUST = Flag.of("", "--trust", "NETWORKS",
            "proxies that say for whom they ask, as 10.0.0.0/8,::1; default: nobody");

    private static final Map<String, AccessFormat> FORMATS = Map.of(
            "common", AccessFormat.COMMON,
            "combined", AccessFormat.COMBINED,
            "json", AccessFormat.JSON);

    private AccessLog() {
    }

    public static void main(String[] args) {
        var response = new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "logged\n".getBytes(StandardCharsets.US_ASCII));
        new ServerTool("AccessLog", List.of(FORMAT, LOG_FILE, TRUST),
                (line, options) -> (request, callback) -> callback.accept(response))
                .withLogger(AccessLog::logger)
                .run(args);
    }

    private static Logger logger(CommandLine line, Logger next) {
        String format = line.get(FORMAT, "combined");
        CommandLine.check(FORMATS.containsKey(format), FORMAT, format, "common, combined or json");
        Trust trust = trust(line);
        return new AccessLogger(output(line), FORMATS.get(format), trust, next);
    }

    private static Trust trust(CommandLine line) {
        if (!line.has(TRUST)) {
            return Trust.nobody();
        }
        try {
            return Trust.of(line.get(TRUST, ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(TRUST + ": " + e.getMessage());
        }
    }

    private static WritableByteChannel output(CommandLine line) {
        if (!line.has(LOG_FILE)) {
            return new FileOutputStream(FileDescriptor.out).getChannel();
        }
        String file = line.get(LOG_FILE, "");
        try {
            return new LogFile(Path.of(file));
        } catch (IOException | InvalidPathException e) {
            String why = e instanceof NoSuchFileException ? "there is no such folder" : InputFile.reason(e);
            throw new IllegalArgumentException(LOG_FILE + " cannot append to \"" + file + "\": " + why);
        }
    }
}
