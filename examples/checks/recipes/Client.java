import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.microhttp.Server;

/** What the programs of the recipes share: a request, and a comparison. */
final class Client {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Client() {
    }

    /** {@return status and body of the answer} */
    static String post(Server server, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.getPort() + "/"))
                .POST(BodyPublishers.ofString(body)).build();
        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
        return response.statusCode() + " " + response.body().strip();
    }

    static void expect(Object expected, Object found) {
        System.out.println(found);
        if (!expected.equals(found)) {
            throw new AssertionError("expected: " + expected);
        }
    }
}
