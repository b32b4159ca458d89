import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Leaves without dropping a request, so that it can be restarted under load: on Ctrl-C or SIGTERM a shutdown
 * hook calls {@code stop(grace)}, which returns when the loops have ended, and says how many requests the
 * time did not suffice for. {@code /slow} is answered after two seconds by another thread, everything else
 * at once; both have the same answer. The JVM ends when the hook does, so the supervisor's own limit (90 s
 * for systemd, 30 s for Kubernetes) must be longer than the grace.
 */
public final class GracefulServer {

    private static final String USAGE = """
            usage: GracefulServer [--port N] [--host NAME] [--loops N] [--grace SECONDS]
              --port N         0 to 65535, default 8080; 0 takes a free port
              --host NAME      the name or address to listen on, default localhost
              --loops N        1 to 99 event loops, default 1
              --grace SECONDS  0 to 9999, how long requests may take to end, default 20""";

    private static final Response HELLO = new Response(200, "OK",
            List.of(new Header("Content-Type", "text/plain")),
            "hello world\n".getBytes(StandardCharsets.US_ASCII));

    private GracefulServer() {
    }

    public static void main(String[] args) {
        Map<String, String> flags = flags(args);
        String host = flags.get("--host");
        Options options = new Options().withHost(host).withPort(Integer.parseInt(flags.get("--port")));
        Duration grace = Duration.ofSeconds(Integer.parseInt(flags.get("--grace")));
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(GracefulServer::daemon);
        Handler handler = (request, callback) -> {
            if (request.uri().equals("/slow")) {
                timer.schedule(() -> callback.accept(HELLO), 2, TimeUnit.SECONDS);
            } else {
                callback.accept(HELLO);
            }
        };
        int loops = Integer.parseInt(flags.get("--loops"));
        try (EventLoopGroup group = new EventLoopGroup(options, new NoopLogger(), handler, loops)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(group, grace), "shutdown"));
            System.out.println("listening on " + host + ":" + group.getPort());
            group.start();
        } catch (IOException e) {
            // from the constructor only: the port cannot be bound
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    private static void stop(EventLoopGroup group, Duration grace) {
        int dropped = group.stop(grace);
        System.out.println("stopped, " + dropped + " requests dropped");
    }

    /** A thread that does not keep the program alive once the loops have ended. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "timer");
        thread.setDaemon(true);
        return thread;
    }

    /** Reads the flags over their defaults, or ends the program: help with 0, a wrong flag with 2. */
    private static Map<String, String> flags(String[] args) {
        Map<String, String> flags = new HashMap<>(Map.of("--port", "8080", "--host", "localhost",
                "--loops", "1", "--grace", "20"));
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            boolean valid = switch (args[i]) {
                case "--port" -> value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= 65_535;
                case "--host" -> !value.isEmpty();
                case "--loops" -> value.matches("[1-9][0-9]?");
                case "--grace" -> value.matches("[0-9]{1,4}");
                default -> false;
            };
            if (valid) {
                flags.put(args[i], value);
            } else if (args[i].equals("-h") || args[i].equals("--help")) {
                System.out.println(USAGE);
                System.exit(0);
            } else {
                System.err.println("wrong argument: " + (args[i] + " " + value).strip() + "\n" + USAGE);
                System.exit(2);
            }
        }
        return flags;
    }
}
