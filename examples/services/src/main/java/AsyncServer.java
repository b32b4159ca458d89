import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Answers later, from another thread: the handler returns at once, and a timer calls back after a second.
 * The loop serves everybody else meanwhile, so a thousand waiting requests need two threads. If the client
 * has gone by then, there is nothing to do any more.
 */
public final class AsyncServer {

    public static void main(String[] args) {
        Response hello = Response.text(200, "hello world\n");
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Handler handler = (request, callback) -> {
            Future<?> answer = timer.schedule(() -> callback.accept(hello), 1, TimeUnit.SECONDS);
            request.onAbandoned(() -> answer.cancel(false));
        };
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
