package formserver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import shared.Json;
import shared.ServerTool;

/**
 * Answers with what it understood of a request: the segments of the path, the parameters of the query, and
 * with POST those of the form. What is not encoded as it should be is answered with 400 and the reason.
 */
public final class FormServer {

    private FormServer() {
    }

    public static void main(String[] args) {
        new ServerTool("FormServer", List.of(), (line, options) -> FormServer::handle).run(args);
    }

    private static void handle(Request request, Consumer<Response> callback) {
        callback.accept(answer(request));
    }

    private static Response answer(Request request) {
        List<String> segments;
        Parameters query;
        Parameters form;
        try {
            // nothing else in here: such an exception of the work itself is no fault of the client
            segments = UrlDecoding.segments(request.path());
            query = Parameters.ofQuery(request.query());
            form = form(request);
        } catch (IllegalArgumentException e) {
            return response(400, "Bad Request", e.getMessage() + "\n");
        }
        return response(200, "OK", describe(segments) + describe("query", query) + describe("form", form));
    }

    private static Parameters form(Request request) {
        if (!request.method().equals("POST")) {
            return Parameters.ofQuery(null);
        }
        return Parameters.ofForm(request.header("Content-Type"), request.body());
    }

    /** As strings of JSON, since there may be any character in them. */
    private static String describe(List<String> segments) {
        var text = new StringBuilder();
        for (String segment : segments) {
            String note = UrlDecoding.isFileName(segment) ? "" : ", not for a file";
            text.append("segment " + Json.text(segment) + note + "\n");
        }
        return text.toString();
    }

    private static String describe(String part, Parameters parameters) {
        var text = new StringBuilder();
        for (String name : parameters.names()) {
            text.append(part + " " + Json.text(name) + ": " + Json.text(parameters.all(name)) + "\n");
        }
        return text.toString();
    }

    private static Response response(int status, String reason, String text) {
        return new Response(status, reason, List.of(new Header("Content-Type", "text/plain")),
                text.getBytes(StandardCharsets.US_ASCII));
    }
}
