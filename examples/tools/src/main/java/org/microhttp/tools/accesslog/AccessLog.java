package org.microhttp.tools.accesslog;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.extras.accesslog.AccessLogger;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.servertool.LogFlags;
import org.microhttp.tools.servertool.ServerTool;

/**
 * Answers every request with the same few bytes, and writes an access log. {@code --help} lists the flags.
 * What a server of your own takes is {@link AccessLogger}, as its listener of exchanges.
 */
public final class AccessLog {

    private static final LogFlags LOG = new LogFlags(
            Flag.of("-l", "--log-file", "FILE",
                    "the file to append to, which may be rotated; default: standard output"),
            Flag.of("-f", "--format", "common|combined|json", "how lines look, default combined"),
            Flag.of("", "--trust", "NETWORKS",
                    "proxies that say for whom they ask, as 10.0.0.0/8,::1; default: nobody"));

    private AccessLog() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        var response = new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "logged\n".getBytes(StandardCharsets.US_ASCII));
        return new ServerTool("AccessLog", List.of(LOG.style(), LOG.file(), LOG.trust()),
                line -> (request, callback) -> callback.accept(response))
                .withLog(LOG::logInAnyCase)
                .run(out, err, args);
    }
}
