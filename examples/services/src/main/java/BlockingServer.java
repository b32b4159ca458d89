import java.io.IOException;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Has other threads do work that blocks, since a handler that blocks would hold up every connection of the
 * loop. Work that fails is answered with 500; a request that comes while a thousand others wait, with 503.
 */
public final class BlockingServer {

    public static void main(String[] args) {
        Handler handler = Handler.blocking(BlockingServer::answer);
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

    private static Response answer(Request request) throws InterruptedException {
        return Response.text(200, query(request.target()) + "\n");
    }

    /** Stands for a query to a database, which blocks its thread; the one for {@code /fail} fails. */
    private static String query(String target) throws InterruptedException {
        Thread.sleep(100);
        if (target.equals("/fail")) {
            throw new IllegalStateException("no such table");
        }
        return "answered";
    }
}
