import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.SystemLogger;

/** The paths of Http11Probe, on port 8080; any other path is answered as the root. */
public final class ProbeServer {

    private static final List<String> ALLOWED = List.of("GET", "HEAD", "POST", "OPTIONS");

    private static Response respond(Request request) {
        if (!ALLOWED.contains(request.method())) {
            return Response.text(405, "not allowed\n").withHeader("Allow", String.join(", ", ALLOWED));
        }
        if (request.method().equals("OPTIONS")) {
            return Response.of(200).withHeader("Allow", String.join(", ", ALLOWED));
        }
        return switch (request.path()) {
            case "/echo" -> lines(request.headers().stream()
                    .map(field -> field.name() + ": " + field.value()));
            case "/cookie" -> lines(request.values("Cookie").stream()
                    .flatMap(value -> Stream.of(value.split(";")))
                    .map(String::stripLeading).filter(pair -> pair.indexOf('=') > 0));
            default -> request.method().equals("POST")
                    ? Response.of(200, "text/plain", request.body()) : Response.text(200, "OK");
        };
    }

    /** In the bytes that were received, whatever their encoding. */
    private static Response lines(Stream<String> lines) {
        String text = lines.map(line -> line + "\n").collect(Collectors.joining());
        return Response.of(200, "text/plain", text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public static void main(String[] args) throws IOException {
        Handler handler = Handler.of(ProbeServer::respond);
        new EventLoop(new Options().withHost(null), new SystemLogger(), handler).start();
    }
}
