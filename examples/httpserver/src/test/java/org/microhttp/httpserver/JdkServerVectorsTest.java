package org.microhttp.httpserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.*;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.microhttp.testing.*;
import org.microhttp.wire.model.*;

/**
 * Sends each vector of vectors.txt on a connection of its own to a handler of the JDK's API that echoes.
 * Vectors with limits of their own are left out: the server has one set of limits.
 */
@Tier.Gate
final class JdkServerVectorsTest {

    private static final String FIELDS = "sun.net.httpserver.maxReqHeaders";
    private static final String BODY = "org.microhttp.httpserver.maxBodySize";

    /** What the handler has seen of each client. */
    private static final Map<SocketAddress, Queue<Parsed>> SEEN = new ConcurrentHashMap<>();

    private static JdkServer server;

    @BeforeAll
    static void serve() throws IOException {
        System.setProperty(FIELDS, "" + ParserVector.DEFAULT_LIMITS.fields());
        System.setProperty(BODY, "" + ParserVector.DEFAULT_LIMITS.requestSize());
        server = JdkServer.start(JdkServerVectorsTest::echo);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        SEEN.clear();
        System.clearProperty(FIELDS);
        System.clearProperty(BODY);
    }

    private static void echo(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
        List<String> fields = exchange.getRequestHeaders().entrySet().stream()
                .flatMap(field -> field.getValue().stream().map(value -> field.getKey() + ": " + value))
                .toList();
        SEEN.computeIfAbsent(exchange.getRemoteAddress(), client -> new ConcurrentLinkedQueue<>())
                .add(new Parsed(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                        exchange.getProtocol(), fields, body, true));
        exchange.sendResponseHeaders(200, body.isEmpty() ? -1 : body.length());
        exchange.getResponseBody().write(JdkServer.bytes(body));
        exchange.close();
    }

    @TestFactory
    Stream<DynamicContainer> vectorIsAnsweredAsItStates() {
        Map<String, List<DynamicTest>> sections = ParserVector.load().stream()
                .filter(vector -> vector.limits().equals(ParserVector.DEFAULT_LIMITS))
                .collect(Collectors.groupingBy(ParserVector::section, LinkedHashMap::new,
                        Collectors.mapping(JdkServerVectorsTest::test, Collectors.toList())));
        return sections.entrySet().stream()
                .map(section -> DynamicContainer.dynamicContainer(section.getKey(), section.getValue()));
    }

    private static DynamicTest test(ParserVector vector) {
        return DynamicTest.dynamicTest(vector.name(), () -> check(vector));
    }

    private static void check(ParserVector vector) throws IOException {
        List<Parsed> served = served(vector.expected().requests());
        try (var client = new RawClient(server.port())) {
            client.send(vector.bytes()).halfClose();
            assertEquals(answers(vector.expected(), served), answers(client, served));
            Queue<Parsed> seen = SEEN.remove(client.localAddress());
            List<Parsed> handled = served.stream().filter(request -> status(request) == 200).toList();
            assertEquals(comparable(handled, handled), comparable(seen == null ? List.of() : seen, handled));
        }
    }

    /** A parser reads on after the last request of a connection; a server does not. */
    private static List<Parsed> served(List<Parsed> requests) {
        var served = new ArrayList<Parsed>();
        for (Parsed request : requests) {
            served.add(request);
            if (!request.persistent()) {
                break;
            }
        }
        return served;
    }

    /** The status of each response, whether the connection persists, and the body. */
    private static List<String> answers(RawClient client, List<Parsed> requests) throws IOException {
        var answers = new ArrayList<String>();
        while (true) {
            int at = answers.size();
            boolean toHead = at < requests.size() && requests.get(at).method().equals("HEAD");
            RawResponse response = client.responseOrEnd(toHead);
            if (response == null) {
                return answers;
            } else if (response.status() == 200) {
                answers.add("200 " + !response.closes() + " " + response.text());
            } else if (response.status() > 200) {
                answers.add("" + response.status());
            }
        }
    }

    private static List<String> answers(ParserOutcome expected, List<Parsed> served) {
        var answers = new ArrayList<String>();
        for (Parsed request : served) {
            int status = status(request);
            String body = request.method().equals("HEAD") ? "" : request.body();
            answers.add(status == 200 ? "200 " + request.persistent() + " " + body : "" + status);
        }
        if (expected.isRefused()) {
            answers.add("" + expected.status());
        } else if (!expected.isComplete()) {
            // the client has ended its side inside a request
            answers.add("400");
        }
        return answers;
    }

    /**
     * As with the JDK's server, "*" has no context, and a target that is no URI gets a 400. Two slashes begin
     * no path.
     */
    private static int status(Parsed request) {
        try {
            String path = new URI(request.target()).getPath();
            return path.equals("*") || request.target().startsWith("//") ? 404 : 200;
        } catch (URISyntaxException e) {
            return 400;
        }
    }

    /** The JDK's Headers keep neither the order of fields nor the case of their names. */
    private static List<Parsed> comparable(Collection<Parsed> requests, List<Parsed> stated) {
        var comparable = new ArrayList<Parsed>();
        for (Parsed request : requests) {
            int at = comparable.size();
            boolean fieldsStated = at < stated.size() && !stated.get(at).fields().isEmpty();
            List<String> fields = request.fields().stream()
                    .filter(field -> fieldsStated)
                    .map(JdkServerVectorsTest::withLowerCaseName).sorted().toList();
            comparable.add(new Parsed(request.method(), request.target(), request.version(), fields,
                    request.body(), true));
        }
        return comparable;
    }

    private static String withLowerCaseName(String field) {
        int colon = field.indexOf(':');
        return field.substring(0, colon).toLowerCase(Locale.ROOT) + field.substring(colon);
    }
}
