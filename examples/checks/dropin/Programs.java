import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.avaje.jex.Jex;
import io.avaje.jex.staticcontent.StaticContent;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * Programs that use the JDK's server and know nothing of any other: avaje-jex, Jersey, the exporter of
 * Prometheus, and the JDK's own handler of files. Prints what each answers to some requests, without what
 * differs each time: dates, ports, and how a body is cut into chunks. Two runs with two servers are compared.
 */
public final class Programs {

    private static final String LARGE = "x".repeat(1_000_000);

    private Programs() {
    }

    /** A resource of Jersey. */
    @Path("orders")
    public static final class Orders {

        @GET
        @Path("{id}")
        public String get(@PathParam("id") String id) {
            if (id.equals("none")) {
                throw new WebApplicationException(404);
            }
            return "order " + id;
        }

        @POST
        @Consumes("text/plain")
        public String add(String text) {
            return "added " + text.length();
        }

        @GET
        @Path("stream")
        public StreamingOutput stream() {
            return out -> {
                for (int i = 0; i < 100; i++) {
                    out.write(LARGE.getBytes(StandardCharsets.US_ASCII), 0, 10_000);
                    out.flush();
                }
            };
        }
    }

    public static void main(String[] args) {
        try {
            run();
            System.exit(0);
        } catch (Throwable t) {
            // threads of servers would go on
            t.printStackTrace();
            System.exit(1);
        }
    }

    private static void run() throws Exception {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        jex();
        staticFiles();
        HttpServer jersey = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"),
                new ResourceConfig(Orders.class));
        System.out.println("== Jersey");
        int port = jersey.getAddress().getPort();
        ask(port, "GET", "/orders/7", "");
        ask(port, "HEAD", "/orders/7", "");
        ask(port, "GET", "/orders/none", "");
        ask(port, "GET", "/nothing", "");
        ask(port, "DELETE", "/orders/7", "");
        ask(port, "OPTIONS", "/orders/7", "");
        ask(port, "POST", "/orders", "text");
        ask(port, "POST", "/orders", LARGE);
        ask(port, "GET", "/orders/stream", "");
        jersey.stop(0);
        prometheus();
        files(loopback);
    }

    private static void jex() throws IOException {
        System.out.println("== avaje-jex");
        Jex.Server server = Jex.create().port(0)
                .get("/hello/{name}", context -> context.text("hello " + context.pathParam("name")))
                .post("/echo", context -> context.text(context.body()))
                .post("/size", context -> context.text("" + context.bodyAsBytes().length))
                .get("/json", context -> context.contentType("application/json")
                        .write(new ObjectMapper().writeValueAsBytes(Map.of("a", 1))))
                .get("/large", context -> context.text(LARGE))
                .get("/stream", context -> {
                    try (var out = context.outputStream()) {
                        for (int i = 0; i < 10; i++) {
                            out.write(LARGE.getBytes(StandardCharsets.US_ASCII));
                        }
                    }
                })
                .get("/fails", context -> {
                    throw new IllegalStateException("thrown by a program");
                })
                .sse("/events", client -> {
                    for (int i = 0; i < 3; i++) {
                        client.sendEvent("n", "event " + i);
                    }
                    client.close();
                })
                .start();
        int port = server.port();
        for (String target : "/hello/ada /json /large /stream /events /fails /no".split(" ")) {
            ask(port, "GET", target, "");
        }
        ask(port, "HEAD", "/hello/ada", "");
        ask(port, "POST", "/echo", "body");
        ask(port, "POST", "/size", LARGE);
        ask(port, "POST", "/hello/ada", "");
        server.shutdown();
    }

    private static void staticFiles() throws IOException {
        System.out.println("== avaje-jex, static files");
        java.nio.file.Path folder = folder();
        Files.writeString(folder.resolve("index.html"), "<p>index");
        Jex.Server server = Jex.create().port(0)
                .plugin(StaticContent.ofFile(folder.toString()).route("/site/*")
                        .directoryIndex("index.html").build())
                .plugin(StaticContent.ofFile(folder.toString()).route("/packed/*").preCompress()
                        .directoryIndex("index.html").build())
                .start();
        String targets = "/site/ /site/a/text.txt /site/large.bin /site/none /site/a /site/../a"
                + " /site/%2e%2e/a /packed/a/text.txt /packed/a/text.txt /packed/large.bin";
        for (String target : targets.split(" ")) {
            ask(server.port(), "GET", target, "");
        }
        server.shutdown();
    }

    private static java.nio.file.Path folder() throws IOException {
        java.nio.file.Path folder = Files.createTempDirectory("programs").toRealPath();
        Files.writeString(Files.createDirectory(folder.resolve("a")).resolve("text.txt"), "text\n");
        Files.writeString(folder.resolve("large.bin"), LARGE);
        return folder;
    }

    private static void prometheus() throws IOException {
        System.out.println("== Prometheus");
        var registry = new PrometheusRegistry();
        Counter.builder().name("requests").help("counted").register(registry).inc();
        try (HTTPServer server = HTTPServer.builder().port(0).registry(registry).buildAndStart()) {
            for (String target : new String[] {"/metrics", "/", "/-/healthy", "/metrics?name[]=none"}) {
                ask(server.getPort(), "GET", target, "");
            }
            ask(server.getPort(), "HEAD", "/metrics", "");
        }
    }

    private static void files(InetSocketAddress address) throws IOException {
        System.out.println("== files");
        java.nio.file.Path folder = folder();
        HttpServer server = HttpServer.create(address, 0, "/", SimpleFileServer.createFileHandler(folder));
        server.start();
        int port = server.getAddress().getPort();
        for (String target : "/a/text.txt /a/ /a / /large.bin /none /a/../b".split(" ")) {
            ask(port, "GET", target, "");
            ask(port, "HEAD", target, "");
        }
        ask(port, "POST", "/", "text");
        server.stop(0);
    }

    /** Asks on a connection of its own, and prints the answer. */
    private static void ask(int port, String method, String target, String body) throws IOException {
        String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + (target.equals("/events") ? "Accept: text/event-stream\r\n" : "")
                + (body.isEmpty() ? "" : "Content-Type: text/plain\r\n")
                + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
                + "\r\n";
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
            print(method + " " + target, socket.getInputStream());
        }
    }

    private static void print(String request, InputStream in) throws IOException {
        String all = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        int end = all.indexOf("\r\n\r\n");
        if (end < 0) {
            System.out.println(request + " -> no answer");
            return;
        }
        String[] lines = all.substring(0, end).split("\r\n");
        String fields = Arrays.stream(lines).skip(1)
                .map(line -> line.split(":", 2))
                .map(field -> field[0].toLowerCase() + ":" + field[1])
                .filter(line -> !line.matches("(date|last-modified|connection):.*"))
                .collect(Collectors.toCollection(TreeSet::new)).toString();
        String body = all.substring(end + 4);
        boolean chunked = fields.toLowerCase().contains("transfer-encoding: chunked");
        String content = chunked ? unchunked(body) : body;
        System.out.println(request + " -> " + lines[0] + " " + fields + " " + content.length() + " bytes, "
                + content.hashCode() + ": " + content.substring(0, Math.min(60, content.length()))
                        .replaceAll("\\s+", " "));
    }

    private static String unchunked(String body) {
        var content = new StringBuilder();
        int at = 0;
        while (at < body.length()) {
            int end = body.indexOf("\r\n", at);
            int size = Integer.parseInt(body.substring(at, end), 16);
            content.append(body, end + 2, end + 2 + size);
            at = end + 4 + size;
        }
        return content.toString();
    }
}
