package org.microhttp.wire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.microhttp.httpserver.MicrohttpProvider;
import org.microhttp.testing.Tier;
import org.microhttp.wire.conformance.ConformanceRules.Verdict;

/** Plays conformance.json against a handler of the JDK's API that echoes, which the library serves. */
@Tier.Gate
class JdkHandlerConformanceTest {

    private static final int THREADS = 24;
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int SECOND_TIMEOUT_MILLIS = 5_000;
    private static final String LIMIT = "org.microhttp.httpserver.maxBodySize";

    /** Where the answer is another than the library's own, and why. */
    private static final Map<String, Verdict> OTHERS = Map.of(
            // no context has the path "*", as with the JDK
            "COMP-OPTIONS-STAR", Verdict.WARN,
            // java.net.URI refuses what the library leaves to the handler
            "LLH-URI-BAD-PCT", Verdict.PASS);

    private static final Map<String, Future<ConformanceRules>> PLAYED = new LinkedHashMap<>();

    private static HttpServer server;
    private static ExecutorService players;

    @BeforeAll
    static void playAll() throws IOException {
        System.setProperty(LIMIT, "" + ConformanceCase.MAX);
        server = new MicrohttpProvider().createHttpServer(
                new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", JdkHandlerConformanceTest::echo);
        server.start();
        players = Executors.newFixedThreadPool(THREADS);
        for (ConformanceCase script : ConformanceCase.load()) {
            PLAYED.put(script.id(), players.submit(() -> play(script)));
        }
    }

    @AfterAll
    static void stop() {
        players.shutdownNow();
        server.stop(0);
        PLAYED.clear();
        System.clearProperty(LIMIT);
    }

    @TestFactory
    Stream<DynamicTest> caseIsAnsweredAsItsRulesAllow() {
        return List.copyOf(PLAYED.keySet()).stream().map(id -> DynamicTest.dynamicTest(id, () -> {
            ConformanceRules played = PLAYED.get(id).get();
            Verdict own = ConformanceTest.WARNINGS.containsKey(id) ? Verdict.WARN : Verdict.PASS;
            assertEquals(OTHERS.getOrDefault(id, own), played.verdict(),
                    () -> played.client() + "; " + played.rules().pass());
        }));
    }

    private static ConformanceRules play(ConformanceCase script) throws IOException {
        ConformanceRules played = play(script, TIMEOUT_MILLIS);
        return played.verdict() != Verdict.PASS ? play(script, SECOND_TIMEOUT_MILLIS) : played;
    }

    private static ConformanceRules play(ConformanceCase script, int timeout) throws IOException {
        try (var client = new ConformanceClient(script, server.getAddress().getPort(), timeout)) {
            client.play();
            return new ConformanceRules(script, client);
        }
    }

    private static void echo(HttpExchange exchange) throws IOException {
        boolean echoed = exchange.getRequestMethod().matches("POST|PUT");
        byte[] body = exchange.getRequestBody().readAllBytes();
        String type = echoed ? exchange.getRequestHeaders().getFirst("Content-Type") : "text/plain";
        byte[] answer = echoed ? body : "hello\n".getBytes(StandardCharsets.US_ASCII);
        if (type != null) {
            exchange.getResponseHeaders().set("Content-Type", type);
        }
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
