import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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

    public static void main(String[] args) {
        var hello = new Response(200, "OK",
                List.of(new Header("Content-Type", "text/plain")),
                "hello world\n".getBytes(StandardCharsets.US_ASCII));
        // what is due runs on the timer's own thread
        Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, Runnable::run);
        Handler handler = (request, callback) -> later.execute(() -> callback.accept(hello));
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var loop = new EventLoop(new Options().withPort(port), new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("AsyncServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }
}
