import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Hands work that blocks to an executor, since a handler that blocks would hold up every connection of the
 * loop. Work that fails is answered with 500; a request that comes while a thousand others wait, with 503.
 * From Java 21 on, {@code Executors.newVirtualThreadPerTaskExecutor()} has a thread for each request.
 */
public final class BlockingServer {

    public static void main(String[] args) {
        Executor workers = Executors.newFixedThreadPool(16);
        Handler handler = Handler.blocking(workers, BlockingServer::answer);
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            Options options = new Options().withPort(port).withMaxPendingRequests(1000);
            var loop = new EventLoop(options, new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("BlockingServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static Response answer(Request request) {
        String text = query(request.uri()) + "\n";
        return new Response(200, "OK", List.of(), text.getBytes(StandardCharsets.US_ASCII));
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
        return "answered by " + Thread.currentThread().getName();
    }
}
