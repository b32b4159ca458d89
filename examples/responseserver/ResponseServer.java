package responseserver;

import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.NoopLogger;
import org.microhttp.Response;

/**
 * Answers every request with a response that the command line describes: to load-test a client, to mock a
 * service, to answer a health check, to find the limit of a load generator. {@code --help} lists the flags.
 * A response is made once, and is the same object for all requests and loops.
 */
public final class ResponseServer {

    private static final String VERSION = "1.0.0-SNAPSHOT";

    private ResponseServer() {
    }

    public static void main(String[] args) {
        try {
            var line = new CommandLine(args);
            if (line.has(Flag.HELP)) {
                System.out.print(Flag.help());
            } else if (line.has(Flag.VERSION)) {
                System.out.println("ResponseServer of microhttp " + VERSION + ", Java " + Runtime.version());
            } else {
                serve(Settings.of(line));
            }
        } catch (IllegalArgumentException | IOException | OutOfMemoryError e) {
            // of the flags, or of what binds and takes the loops' buffers: nothing is started yet
            fail(e, 2);
        } catch (IllegalStateException e) {
            // a loop failed, or its thread could not be started
            fail(e.getCause() == null ? e : e.getCause(), 1);
        }
    }

    private static void fail(Throwable cause, int status) {
        System.err.println("ResponseServer: " + Report.oneLine("" + cause.getMessage()));
        System.exit(status);
    }

    private static void serve(Settings settings) throws IOException {
        var report = new Report(System.out, settings.json());
        Logger logger = settings.verbosity() == 0 ? new NoopLogger()
                : new Transcript(report, settings.verbosity(), isColourWanted());
        Handler handler = handler(settings);
        try (var group = new EventLoopGroup(settings.options(), logger, handler, settings.threads())) {
            Meter meter = settings.meter() ? new Meter(group::stats, report) : null;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(group, meter), "shutdown"));
            sayListening(report, settings, group.getPort());
            if (meter != null) {
                meter.start(timer("meter"));
            }
            group.start();
        }
    }

    private static Handler handler(Settings settings) {
        Routes routes = settings.routes();
        long nanos = settings.delay().toNanos();
        if (nanos == 0) {
            return (request, callback) -> callback.accept(routes.find(request));
        }
        // to some 0.1 ms; the answer goes from its thread back to the loop
        ScheduledExecutorService timer = timer("delay");
        return (request, callback) -> {
            Response response = routes.find(request);
            timer.schedule(() -> callback.accept(response), nanos, TimeUnit.NANOSECONDS);
        };
    }

    /** A timer whose thread does not keep the program alive. */
    private static ScheduledExecutorService timer(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private static void sayListening(Report report, Settings settings, int port) {
        if (report.json) {
            report.event("listening", new TreeMap<>(
                    Map.of("host", settings.shownHost(), "port", port, "threads", settings.threads())));
        } else {
            report.text("listening on " + settings.shownHostAndPort(port));
        }
    }

    /** On Ctrl-C or SIGTERM. What is delayed is not waited for, nor output that nobody reads. */
    private static void stop(EventLoopGroup group, Meter meter) {
        var stopper = new Thread(() -> {
            group.stop(Duration.ZERO);
            if (meter != null) {
                meter.printTotals();
            }
        }, "stopper");
        stopper.setDaemon(true);
        stopper.start();
        try {
            stopper.join(2000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A user may set NO_COLOR to whatever is not empty. */
    private static boolean isColourWanted() {
        String refused = System.getenv("NO_COLOR");
        return (refused == null || refused.isEmpty()) && isTerminal();
    }

    private static boolean isTerminal() {
        Console console = System.console();
        try {
            // before Java 22 there is a console only on a terminal
            return console != null && (Runtime.version().feature() < 22
                    || (boolean) Console.class.getMethod("isTerminal").invoke(console));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
