package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.*;
import org.microhttp.testing.*;
import org.microhttp.wire.JdkSubscriber.Receiving;

/** Each body subscriber of the JDK receives bodies of requests, which the JDK's client sends. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JdkSubscribersTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String HEAD = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n";

    @TempDir
    private Path folder;

    /** Has each body received by a subscriber of its own, and answers with what came of that. */
    private static Handler uploads(Supplier<Receiving> subscribers) {
        var results = new ConcurrentHashMap<Object, CompletionStage<String>>();
        return Handler.receiving(request -> {
            Receiving receiving = subscribers.get();
            results.put(receiving.subscriber(), receiving.result());
            return receiving.subscriber();
        }, (request, receiver, callback) ->
                results.remove(receiver).whenComplete((result, failure) -> callback.accept(
                        failure == null ? Response.text(200, result) : Response.text(422, "" + failure))));
    }

    private static TestServer serve(Supplier<Receiving> subscribers) throws IOException {
        return new TestServer(TestServer.options(), uploads(subscribers));
    }

    private static String post(TestServer server, BodyPublisher body) throws Exception {
        var address = URI.create("http://127.0.0.1:" + server.port() + "/");
        HttpRequest request = HttpRequest.newBuilder(address).POST(body).build();
        return CLIENT.send(request, BodyHandlers.ofString()).body();
    }

    /** Lines, each of which is another. */
    private static String lines(int size) {
        var text = new StringBuilder();
        for (int i = 0; text.length() < size; i++) {
            text.append("line ").append(i).append('\n');
        }
        return text.toString();
    }

    /** Those that this JDK has. */
    static Set<JdkSubscriber> all() {
        var all = EnumSet.allOf(JdkSubscriber.class);
        if (Runtime.version().feature() < 25) all.remove(JdkSubscriber.LIMITING);
        return all;
    }

    private void receive(JdkSubscriber kind, String body) throws Exception {
        Path file = folder.resolve("body");
        try (var server = serve(() -> kind.begin(file, body.length()))) {
            BodyPublisher counted = BodyPublishers.ofString(body);
            BodyPublisher chunked = BodyPublishers.fromPublisher(BodyPublishers.ofString(body));
            assertEquals(kind.expected(body), post(server, chunked), "chunked");
            if (!body.isEmpty()) assertEquals(kind.expected(body), post(server, counted), "counted");
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void receivesSmallBodies(JdkSubscriber kind) throws Exception {
        receive(kind, lines(1));
        receive(kind, lines(3000));
    }

    /** In chunks: where a length says that there is no body nobody is asked who receives it. */
    @ParameterizedTest
    @MethodSource("all")
    void receivesAnEmptyBody(JdkSubscriber kind) throws Exception {
        receive(kind, "");
    }

    @ParameterizedTest
    @MethodSource("all")
    void receivesMegabytes(JdkSubscriber kind) throws Exception {
        receive(kind, lines(3_000_000));
    }

    /** Of a client that sends no more: it is answered because the subscriber cancels. */
    private static void expectFailure(Supplier<Receiving> subscribers, String cause) throws Exception {
        try (var server = serve(subscribers); var client = server.connect()) {
            RawResponse response = client.send(HEAD + lines(2000)).response();
            assertEquals(422, response.status());
            assertTrue(response.text().contains(cause), response.text());
        }
    }

    @Test
    void aFileThatCannotBeOpenedIsAnAnswerAtOnce() throws Exception {
        Path file = folder.resolve("missing").resolve("body");
        expectFailure(() -> JdkSubscriber.FILE.begin(file, 0), "NoSuchFileException");
        assertFalse(Files.exists(file));
    }

    @Test
    void aBodyAboveTheLimitIsAnAnswerAtOnce() throws Exception {
        assumeTrue(all().contains(JdkSubscriber.LIMITING), "Java has it from version 25 on");
        expectFailure(() -> JdkSubscriber.LIMITING.begin(null, 1999), "body exceeds capacity");
    }

    @Test
    void aStreamThatIsClosedIsAnAnswerAtOnce() throws Exception {
        expectFailure(() -> JdkSubscriber.read(BodySubscribers.ofInputStream(), stream -> {
            throw new IllegalStateException(firstLine(stream));
        }), "line 0");
    }

    private static String firstLine(InputStream stream) {
        try (stream) {
            return new String(stream.readNBytes(6));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
