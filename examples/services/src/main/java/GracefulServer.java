import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Leaves without dropping a request, so that it can be restarted under load: on Ctrl-C or SIGTERM a shutdown
 * hook calls {@code stop(grace)}, which returns when the loops have ended, and says how many requests the
 * time did not suffice for. {@code /slow} is answered after two seconds by another thread, everything else
 * at once; both have the same answer. There is a loop for each processor: the first on the main thread, the
 * others on threads named {@code microhttp-1} and so on. The JVM ends when the hook does, so the supervisor's
 * own limit (90 s for systemd, 30 s for Kubernetes) must be longer than the grace.
 */
public final class GracefulServer {

    private static final Duration GRACE = Duration.ofSeconds(20);

    public static void main(String[] args) {
        Response hello = Response.text(200, "hello world\n");
        Executor later = CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS, Runnable::run);
        Handler handler = (request, callback) -> {
            if (request.target().equals("/slow")) {
                later.execute(() -> callback.accept(hello));
            } else {
                callback.accept(hello);
            }
        };
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var group = new EventLoopGroup(new Options().withPort(port), new NoopLogger(), handler);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(group)));
            System.out.println("listening on port " + group.getPort());
            group.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("GracefulServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void stop(EventLoopGroup group) {
        int dropped = group.stop(GRACE);
        System.out.println("stopped, " + dropped + " requests dropped");
    }
}
