import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.microhttp.EventLoop;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.events.EventStream;
import org.microhttp.extras.events.ServerEvent;
import org.microhttp.extras.routing.Router;

/**
 * Server-sent events: a page shows what anybody has posted, as it is posted. A browser that reconnects says
 * which event it had last, and gets those that it missed. A comment each ten seconds shows proxies, and us,
 * that the connection lives. On Ctrl-C or SIGTERM the server ends, and the streams with it.
 */
public final class EventsServer {

    private static final String PAGE = """
            <!doctype html><meta charset="utf-8"><title>events</title>
            <form><input name="text" autofocus><button>post</button></form><ol id="list"></ol>
            <script>
              new EventSource('/events').onmessage = event => {
                const item = document.createElement('li')
                item.value = event.lastEventId
                item.textContent = event.data
                list.append(item)
              }
              document.forms[0].onsubmit = event => {
                event.preventDefault()
                fetch('/events', {method: 'POST', body: event.target.text.value})
                event.target.reset()
              }
            </script>
            """;

    /** A text of empty lines takes seven times as much. */
    private static final int MAX_REQUEST = 64 << 10;

    private final EventStream events = new EventStream();

    private Response publish(Request request) {
        events.publish(ServerEvent.of(new String(request.body(), StandardCharsets.UTF_8)));
        return Response.of(204);
    }

    public static void main(String[] args) {
        var server = new EventsServer();
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            Options options = new Options().withPort(port).withStreamTimeout(Duration.ofMinutes(1))
                    .withMaxRequestSize(MAX_REQUEST).withOnStopping(server.events::close);
            Router router = new Router()
                    .on("GET", "/", request -> Response.of(200, "text/html", PAGE))
                    .on("GET", "/events", server.events::response)
                    .on("POST", "/events", server::publish);
            var loop = new EventLoop(options, new NoopLogger(), router);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> loop.stop(Duration.ofSeconds(5))));
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("EventsServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }
}
