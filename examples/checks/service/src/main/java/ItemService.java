import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.Body;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Server;
import org.microhttp.SystemLogger;
import org.microhttp.extras.accesslog.AccessFormat;
import org.microhttp.extras.accesslog.AccessLogger;
import org.microhttp.extras.accesslog.Trust;
import org.microhttp.extras.events.EventStream;
import org.microhttp.extras.events.ServerEvent;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.forms.Form;
import org.microhttp.extras.forms.FormFile;
import org.microhttp.extras.forms.FormHandler;
import org.microhttp.extras.forms.FormLimits;
import org.microhttp.extras.metrics.ServerMonitor;
import org.microhttp.extras.routing.Parameters;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.extras.routing.Router;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;

/** Keeps items in memory, announces new ones as events, and stores uploads in the folder {@code uploads}. */
public final class ItemService {

    private record Item(long id, String name) {
    }

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ConcurrentSkipListMap<Long, Item> items = new ConcurrentSkipListMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final EventStream events = new EventStream();
    private final ServerMonitor monitor = new ServerMonitor();
    private final Path uploads = Path.of("uploads");

    private Handler handler() throws IOException {
        return new Router()
                .on("GET", "/items", this::list)
                .on("POST", "/items", this::add)
                .on("GET", "/items/{id:number}", this::get)
                .on("DELETE", "/items/{id:number}", this::remove)
                .on("POST", "/files", new FormHandler(uploads, FormLimits.DEFAULT, this::store))
                .on("GET", "/events", events::response)
                .on("GET", "/ready", request -> monitor.ready())
                .on("GET", "/metrics", request -> monitor.metrics())
                .otherwise(FileHandler.ofResources(ItemService.class, "/static").build())
                .andThen((request, response) -> response.failure() == null ? inJson(response) : response);
    }

    private Response list(Request request) throws IOException {
        int limit = Parameters.query(request).number("limit", 100, 1, 1000);
        return json(200, items.values().stream().limit(limit).toList());
    }

    private Response add(Request request) throws IOException {
        JsonNode name = parse(request).path("name");
        if (!name.isTextual() || name.asText().isBlank()) {
            throw new RequestException("an item is an object with a name");
        }
        var item = new Item(ids.incrementAndGet(), name.asText());
        items.put(item.id(), item);
        events.publish(ServerEvent.of(JSON.writeValueAsString(item)));
        return json(201, item).withHeader("Location", "/items/" + item.id());
    }

    private Response get(Request request) throws IOException {
        Item item = items.get(Router.number(request, "id"));
        return item == null ? Response.text(404, "no such item") : json(200, item);
    }

    private Response remove(Request request) {
        Item item = items.remove(Router.number(request, "id"));
        return item == null ? Response.text(404, "no such item") : Response.of(204);
    }

    private Response store(Request request, Form form) throws IOException {
        FormFile file = form.file("file");
        if (file == null) {
            return Response.text(400, "the form has no file in its field \"file\"");
        }
        String id = UUID.randomUUID().toString();
        Files.move(file.path(), uploads.resolve(id + ".upload"));
        return json(201, Map.of("id", id, "bytes", file.size()));
    }

    private JsonNode parse(Request request) {
        try {
            return JSON.readTree(request.body());
        } catch (IOException e) {
            throw new RequestException("the body is not JSON");
        }
    }

    private Response json(int status, Object value) throws IOException {
        return Response.json(status, JSON.writeValueAsString(value));
    }

    /** The router, the form handler and the server write errors as a line of text; this service, as JSON. */
    private static Response inJson(Response response) {
        if (response.status() < 400) {
            return response;
        }
        String message = new String(response.body().bytes(), StandardCharsets.UTF_8).strip();
        String error = JSON.createObjectNode().put("error", message).toString();
        return response.withBody(Body.of(StandardCharsets.UTF_8.encode(error)))
                .withHeader("Content-Type", "application/json");
    }

    private Server server(Options options) throws IOException {
        String certificate = System.getProperty("certificate");
        if (certificate == null) {
            return new EventLoopGroup(options, new SystemLogger(), handler());
        }
        Path key = Path.of(System.getProperty("key", certificate));
        TlsSettings tls = TlsSettings.ofPem(Path.of(certificate), key);
        return new TlsServer(options, new SystemLogger(), handler(), tls);
    }

    public static void main(String[] args) throws IOException {
        var service = new ItemService();
        FormHandler.clean(Files.createDirectories(service.uploads));
        var log = new AccessLogger(new FileOutputStream(FileDescriptor.out).getChannel(), AccessFormat.JSON,
                Trust.of("10.0.0.0/8"));
        Options options = new Options().withHost(null).withPort(Integer.getInteger("port", 8080))
                .withMaxPendingRequests(500).withMaxConnections(5_000)
                .withStreamTimeout(Duration.ofMinutes(1)).withHandlerTimeout(Duration.ofSeconds(30))
                .withErrorHandler(error -> inJson(error.response()))
                .withOnStopping(service.events::close).withExchangeListener(log);
        Server server = service.monitor.watch(options, service::server);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Duration drain = Duration.ofSeconds(Integer.getInteger("drain", 5));
            int dropped = service.monitor.stop(drain, Duration.ofSeconds(20));
            log.close();
            System.err.println("stopped, " + dropped + " requests dropped");
        }));
        server.start(() -> System.err.println("listening on port " + server.getPort()));
    }
}
