import java.io.IOException;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * The smallest server: answers every request at once, on the loop's thread. The response is made once and
 * shared, so its status line and fields are rendered once, too.
 */
public final class HelloServer {

    public static void main(String[] args) {
        Response hello = Response.text(200, "hello world\n");
        Handler handler = Handler.of(request -> hello);
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var loop = new EventLoop(new Options().withPort(port), new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("HelloServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }
}
