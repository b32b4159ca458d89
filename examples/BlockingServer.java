import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Hands work that blocks to an executor, since a handler that blocks would hold up every connection of the
 * loop. The executor starts a virtual thread for each request where the JDK has them, else it is a pool.
 * Neither bounds the work that waits: a server under load would refuse some with 503.
 */
public final class BlockingServer {

    private static final String USAGE = """
            usage: BlockingServer [--port N] [--host NAME]
              --port N     0 to 65535, default 8080; 0 takes a free port
              --host NAME  the name or address to listen on, default localhost""";

    private static final int POOL_SIZE = 16;

    private static final Response FAILED = text(500, "Internal Server Error", "the query failed\n");

    private BlockingServer() {
    }

    public static void main(String[] args) {
        Map<String, String> flags = flags(args);
        String host = flags.get("--host");
        Options options = new Options().withHost(host).withPort(Integer.parseInt(flags.get("--port")));
        ExecutorService workers = workers();
        // work that fails is answered like any other; a real server would log the failure, too
        Handler handler = (request, callback) -> CompletableFuture
                .supplyAsync(() -> text(200, "OK", query(request.uri())), workers)
                .exceptionally(failure -> FAILED)
                .thenAccept(callback);
        try (EventLoop loop = new EventLoop(options, new NoopLogger(), handler)) {
            System.out.println("listening on " + host + ":" + loop.getPort());
            loop.start();
        } catch (IOException e) {
            // from the constructor only: the port cannot be bound
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    /** Stands for a query to a database, which blocks its thread; the one for {@code /fail} fails. */
    private static String query(String target) {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (target.equals("/fail")) {
            throw new IllegalStateException("no such table");
        }
        boolean virtual = Thread.currentThread().toString().startsWith("VirtualThread");
        return "answered by a " + (virtual ? "virtual" : "pool") + " thread\n";
    }

    private static ExecutorService workers() {
        try {
            // since Java 21; looked up by name because this compiles for 17
            Method perTask = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
            return (ExecutorService) perTask.invoke(null);
        } catch (ReflectiveOperationException e) {
            return Executors.newFixedThreadPool(POOL_SIZE, BlockingServer::daemon);
        }
    }

    /** A thread that does not keep the program alive once the loop has ended. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "worker");
        thread.setDaemon(true);
        return thread;
    }

    private static Response text(int status, String reason, String text) {
        return new Response(status, reason, List.of(new Header("Content-Type", "text/plain")),
                text.getBytes(StandardCharsets.US_ASCII));
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
