import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Answers later, from another thread: the handler returns at once, and a timer calls back after a second.
 * The loop serves everybody else meanwhile, so a thousand waiting requests need two threads.
 */
public final class AsyncServer {

    private static final String USAGE = """
            usage: AsyncServer [--port N] [--host NAME]
              --port N     0 to 65535, default 8080; 0 takes a free port
              --host NAME  the name or address to listen on, default localhost""";

    private static final Response HELLO = new Response(200, "OK",
            List.of(new Header("Content-Type", "text/plain")),
            "hello world\n".getBytes(StandardCharsets.US_ASCII));

    private AsyncServer() {
    }

    public static void main(String[] args) {
        Map<String, String> flags = flags(args);
        String host = flags.get("--host");
        Options options = new Options().withHost(host).withPort(Integer.parseInt(flags.get("--port")));
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(AsyncServer::daemon);
        Handler handler = (request, callback) ->
                timer.schedule(() -> callback.accept(HELLO), 1, TimeUnit.SECONDS);
        try (EventLoop loop = new EventLoop(options, new NoopLogger(), handler)) {
            System.out.println("listening on " + host + ":" + loop.getPort());
            loop.start();
        } catch (IOException e) {
            // from the constructor only: the port cannot be bound
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    /** A thread that does not keep the program alive once the loop has ended. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "timer");
        thread.setDaemon(true);
        return thread;
    }

    /** Reads the flags over their defaults, or ends the program: help with 0, a wrong flag with 2. */
    private static Map<String, String> flags(String[] args) {
        Map<String, String> flags = new HashMap<>(Map.of("--port", "8080", "--host", "localhost"));
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            boolean valid = switch (args[i]) {
                case "--port" -> value.matches("[0-9]{1,5}") && Integer.parseInt(value) <= 65_535;
                case "--host" -> !value.isEmpty();
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
