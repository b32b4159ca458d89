import java.io.IOException;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Reads the request: answers POST and PUT with the body they sent and its Content-Type, and other methods
 * with a line of text. HEAD needs no code: the server leaves the body out and keeps its Content-Length.
 */
public final class EchoServer {

    public static void main(String[] args) {
        Handler handler = Handler.of(EchoServer::answer);
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var loop = new EventLoop(new Options().withPort(port), new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("EchoServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static Response answer(Request request) {
        if (!List.of("POST", "PUT").contains(request.method())) {
            return Response.text(200, "send a body with POST or PUT\n");
        }
        String type = request.header("Content-Type");
        return Response.of(200, type == null ? "application/octet-stream" : type, request.body());
    }
}
