package org.microhttp.tools.responseserver;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Response;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.servertool.DaemonTimer;
import org.microhttp.tools.servertool.ServerFlags;
import org.microhttp.tools.servertool.ServerTool;

/**
 * Answers every request with a response that the command line describes: to load-test a client, to mock a
 * service, to answer a health check, to find the limit of a load generator. {@code --help} lists the flags.
 * A response is made once, and is the same object for all requests and loops.
 */
public final class ResponseServer {

    /** For the loop to take an answer that is late. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    /** The longest that options allow. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** What {@code --reset-after} says, below 0 without it; and the port that clients connect to then. */
    private int resetAfter;
    private int port;

    private ResponseServer() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        var server = new ResponseServer();
        return new ServerTool("ResponseServer", ResponseFlags.ALL, ResponseServer::handler)
                .withOptions(server::change)
                .withFront(server::front)
                .run(out, err, args);
    }

    /** With a front the loops listen at a free port. A delay is no failure of the handler. */
    private Options change(CommandLine line, Options options) {
        resetAfter = line.number(ResponseFlags.RESET_AFTER, -1, 0, Integer.MAX_VALUE);
        port = options.port();
        if (resetAfter >= 0 && line.has(ServerFlags.TLS_CERTIFICATE)) {
            throw new IllegalArgumentException(ResponseFlags.RESET_AFTER + " is for a port without TLS");
        }
        Options placed = resetAfter >= 0 ? options.withPort(0) : options;
        return line.has(ResponseFlags.NEVER) ? placed.withHandlerTimeout(LONGEST)
                : placed.withHandlerTimeout(Settings.delay(line).plus(MARGIN)).withStreamTimeout(LONGEST);
    }

    private SocketAddress front(SocketAddress loops) throws IOException {
        boolean wanted = resetAfter >= 0;
        return wanted ? new ResettingFront(port, (InetSocketAddress) loops, resetAfter).address() : loops;
    }

    private static Handler handler(CommandLine line) {
        if (line.has(ResponseFlags.NEVER)) {
            return (request, callback) -> { };
        }
        Settings settings = Settings.of(line);
        Routes routes = settings.routes();
        long nanos = settings.delay().toNanos();
        if (nanos == 0) {
            return (request, callback) -> callback.accept(routes.find(request));
        }
        // to some 0.1 ms; the answer goes from its thread back to the loop
        ScheduledExecutorService timer = DaemonTimer.named("delay");
        return (request, callback) -> {
            Response response = routes.find(request);
            timer.schedule(() -> callback.accept(response), nanos, TimeUnit.NANOSECONDS);
        };
    }
}
