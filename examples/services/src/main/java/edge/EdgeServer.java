package edge;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import org.microhttp.Handler;
import org.microhttp.extras.metrics.ServerMonitor;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.servertool.Leaving;
import org.microhttp.tools.servertool.ServerTool;

/**
 * A server as it stands behind a balancer: at a port or a Unix socket, with the client's address by the PROXY
 * protocol or in a field, with a path that tells whether it is ready, and one with statistics. On SIGTERM it
 * first says that it is not ready and serves on for a while, so that balancers turn away; then it takes
 * nothing new, and answers what it has. {@code --help} lists the flags.
 */
public final class EdgeServer {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final ServerMonitor monitor = new ServerMonitor();

    private EdgeServer() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        var server = new EdgeServer();
        return new ServerTool("EdgeServer", EdgeFlags.ALL, server::handler)
                .withOptions(EdgeFlags::change)
                .withMaking(server.monitor::watch)
                .withLeaving(server::leaving)
                .run(out, err, args);
    }

    private Handler handler(CommandLine line) {
        return new EdgeHandler(EdgeFlags.name(line), monitor);
    }

    private Leaving leaving(CommandLine line) {
        Duration drain = line.time(EdgeFlags.DRAIN, Duration.ZERO);
        Duration grace = line.time(EdgeFlags.GRACE, GRACE);
        return new Leaving(monitor::leave, drain, grace, EdgeServer::end);
    }

    /** Java's own exit code after a signal is 143, which supervisors take for a failure. */
    private static void end(Report report, int dropped) {
        Object count = dropped < 0 ? "unknown" : dropped;
        if (report.json) {
            report.event("stopped", Map.of("dropped", count));
        } else {
            report.text("stopped, requests dropped: " + count);
        }
        Runtime.getRuntime().halt(dropped == 0 ? 0 : 1);
    }
}
