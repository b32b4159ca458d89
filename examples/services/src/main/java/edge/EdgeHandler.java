package edge;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Body;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.metrics.ServerMonitor;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.Reason;
import org.microhttp.tools.servertool.DaemonTimer;

/**
 * Says who answers and for whom: {@code /} at once; {@code /work?millis=N} after that time, from another
 * thread, as work that takes its time; {@code /stream?millis=N} bit by bit. {@code /ready} and {@code
 * /metrics} are for balancers and Prometheus. Which of the fields about the client may be believed is for
 * whoever configures the balancer to say; this shows what came.
 */
final class EdgeHandler implements Handler {

    private static final Header TYPE = new Header("Content-Type", "text/plain; charset=utf-8");

    /** In lower case. */
    private static final Set<String> FORWARDED = Set.of("forwarded", "x-forwarded-for");
    private static final int MAX_MILLIS = 60_000;
    private static final Pattern MILLIS = Pattern.compile("(?:^|&)millis=([^&]*)");

    private final ScheduledExecutorService timer = DaemonTimer.named("work");
    private final ServerMonitor monitor;
    private final String server;

    EdgeHandler(String name, ServerMonitor monitor) {
        this.monitor = monitor;
        server = "server: " + name + ", process " + ProcessHandle.current().pid() + "\n";
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        switch (request.path()) {
            case "/" -> callback.accept(answer(200, description(request)));
            case "/work", "/stream" -> takeTime(request, callback);
            case "/ready" -> callback.accept(monitor.ready());
            case "/metrics" -> callback.accept(monitor.metrics());
            default -> callback.accept(PlainAnswers.NOT_FOUND);
        }
    }

    private void takeTime(Request request, Consumer<Response> callback) {
        int millis;
        try {
            millis = millis(request.query());
        } catch (IllegalArgumentException e) {
            callback.accept(answer(400, e.getMessage() + "\n"));
            return;
        }
        if (request.path().equals("/stream")) {
            callback.accept(new Response(200, List.of(TYPE), Body.of(new Lines(server, millis, timer))));
            return;
        }
        Response done = answer(200, server + "worked: " + millis + " ms\n");
        timer.schedule(() -> callback.accept(done), millis, TimeUnit.MILLISECONDS);
    }

    private static int millis(String query) {
        String text = value(query);
        if (text == null || !text.matches("[0-9]{1,5}") || Integer.parseInt(text) > MAX_MILLIS) {
            String given = text == null ? "not given" : "\"" + text + "\"";
            throw new IllegalArgumentException("millis is " + given + "; allowed: 0 to " + MAX_MILLIS);
        }
        return Integer.parseInt(text);
    }

    /** Of the first parameter {@code millis}, as it was sent; null if there is none. */
    private static String value(String query) {
        Matcher millis = MILLIS.matcher("" + query);
        return millis.find() ? millis.group(1) : null;
    }

    private String description(Request request) {
        var text = new StringBuilder(server);
        text.append("client: ").append(shown(request.remoteAddress())).append('\n');
        for (Header field : request.headers()) {
            if (FORWARDED.contains(field.name().toLowerCase(Locale.ROOT))) {
                text.append(field.name()).append(": ").append(field.value()).append('\n');
            }
        }
        return text.toString();
    }

    /** At a Unix socket a peer has no address, unless the PROXY protocol tells the client's. */
    private static String shown(SocketAddress address) {
        if (!(address instanceof InetSocketAddress client)) {
            return "without address";
        }
        String host = client.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + client.getPort();
    }

    private static Response answer(int status, String text) {
        return new Response(status, Reason.of(status), List.of(TYPE), text.getBytes(StandardCharsets.UTF_8));
    }
}
