package org.microhttp.wire.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.microhttp.*;
import org.microhttp.testing.TestServer;
import org.microhttp.wire.conformance.ConformanceRules.Verdict;

/** Plays conformance.json against a server that echoes; many cases at a time, for many wait for silence. */
class ConformanceTest {

    private static final int THREADS = 24;

    private static final int TIMEOUT_MILLIS = 1_000;

    /** A machine under load gets a second chance, with more patience. */
    private static final int SECOND_TIMEOUT_MILLIS = 5_000;

    /** Where the strict answer is not ours, and why. */
    static final Map<String, String> WARNINGS = Map.of(
            "COMP-NO-CL-IN-204", "the handler here answers OPTIONS with 200, so there is no 204 to look at",
            "SMUG-CL-LEADING-ZEROS", "Content-Length = 1*DIGIT, and 005 is 5 for everyone (RFC 9110 §8.6)",
            "SMUG-HEAD-CL-BODY", "a body on GET or HEAD is read as it is framed (RFC 9110 §9.3.2)",
            "SMUG-ABSOLUTE-URI-HOST-MISMATCH", "an absolute-form target wins over Host (RFC 9112 §3.2.2)",
            "LLH-URI-BAD-PCT", "a broken percent escape is the handler's business");

    private static final Map<String, Future<ConformanceRules>> PLAYED = new LinkedHashMap<>();

    private static TestServer server;
    private static ExecutorService players;

    @BeforeAll
    static void playAll() throws IOException {
        var options = TestServer.options().withHost(null).withMaxRequestSize(ConformanceCase.MAX);
        server = new TestServer(options, ConformanceTest::echo);
        players = Executors.newFixedThreadPool(THREADS);
        for (ConformanceCase script : ConformanceCase.load()) {
            PLAYED.put(script.id(), players.submit(() -> play(script)));
        }
    }

    @AfterAll
    static void stop() throws IOException {
        players.shutdownNow();
        server.stop();
        PLAYED.clear();
    }

    @TestFactory
    Stream<DynamicTest> caseIsAnsweredAsItsRulesAllow() {
        return List.copyOf(PLAYED.keySet()).stream().map(id -> DynamicTest.dynamicTest(id, () -> {
            ConformanceRules played = PLAYED.get(id).get();
            Verdict expected = WARNINGS.containsKey(id) ? Verdict.WARN : Verdict.PASS;
            assertEquals(expected, played.verdict(), () -> played.client() + "; " + played.rules().pass());
        }));
    }

    private static ConformanceRules play(ConformanceCase script) throws IOException {
        ConformanceRules played = play(script, TIMEOUT_MILLIS);
        return played.verdict() == Verdict.FAIL ? play(script, SECOND_TIMEOUT_MILLIS) : played;
    }

    private static ConformanceRules play(ConformanceCase script, int timeout) throws IOException {
        try (var client = new ConformanceClient(script, server.port(), timeout)) {
            client.play();
            return new ConformanceRules(script, client);
        }
    }

    private static void echo(Request request, Consumer<Response> callback) {
        boolean echoed = request.method().equals("POST") || request.method().equals("PUT");
        String type = echoed ? request.header("Content-Type") : "text/plain";
        byte[] body = echoed ? request.body() : "hello\n".getBytes(StandardCharsets.US_ASCII);
        Stream<Header> headers = Stream.ofNullable(type).map(value -> new Header("Content-Type", value));
        callback.accept(new Response(200, "OK", headers.toList(), body));
    }
}
