import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Reads the request: answers POST and PUT with the body they sent and its Content-Type, and other methods
 * with a line of text. HEAD needs no code: the server leaves the body out and keeps its Content-Length.
 */
public final class EchoServer {

    private static final String USAGE = """
            usage: EchoServer [--port N] [--host NAME]
              --port N     0 to 65535, default 8080; 0 takes a free port
              --host NAME  the name or address to listen on, default localhost""";

    private static final Response HINT = response("text/plain",
            "send a body with POST or PUT\n".getBytes(StandardCharsets.US_ASCII));

    private EchoServer() {
    }

    public static void main(String[] args) {
        Map<String, String> flags = flags(args);
        String host = flags.get("--host");
        Options options = new Options().withHost(host).withPort(Integer.parseInt(flags.get("--port")));
        Handler handler = (request, callback) -> callback.accept(answer(request));
        try (EventLoop loop = new EventLoop(options, new NoopLogger(), handler)) {
            System.out.println("listening on " + host + ":" + loop.getPort());
            loop.start();
        } catch (IOException e) {
            // from the constructor only: the port cannot be bound
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    private static Response answer(Request request) {
        return switch (request.method()) {
            case "POST", "PUT" -> {
                String type = request.header("Content-Type");
                yield response(type == null ? "application/octet-stream" : type, request.body());
            }
            default -> HINT;
        };
    }

    private static Response response(String type, byte[] body) {
        return new Response(200, "OK", List.of(new Header("Content-Type", type)), body);
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
