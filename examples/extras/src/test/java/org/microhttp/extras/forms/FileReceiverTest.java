package org.microhttp.extras.forms;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.extras.testing.FormService.*;

import java.io.*;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.*;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.testing.*;

/** Files of forms that subscribers of the program's own receive, over sockets. */
@Tier.Program
final class FileReceiverTest {

    private static final FormLimits LARGE = FormLimits.DEFAULT.withFile(1L << 30).withTotal(1L << 30);

    @TempDir
    private Path folder;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final List<String> signals = Collections.synchronizedList(new ArrayList<>());
    private TestServer server;

    @AfterEach
    void end() throws IOException {
        if (server != null) {
            server.close();
        }
        executor.shutdownNow();
    }

    private void serve(FormLimits limits, FileReceiver receiver, FormResponder responder) throws IOException {
        server = new TestServer(new FormHandler(null, limits, executor, responder).withReceiver(receiver));
    }

    private RawClient send(String body) throws IOException {
        return server.connect().send(head(TYPE, "Content-Length: " + body.length()) + body);
    }

    private RawResponse post(String... parts) throws IOException {
        return send(body(parts)).response();
    }

    /** Does with its subscription, and with each piece of content, what a test wants. */
    private final class Wanting implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {

        volatile Flow.Subscription subscription;
        private final Consumer<Flow.Subscription> first;
        private final Consumer<Flow.Subscription> each;

        Wanting(Consumer<Flow.Subscription> first, Consumer<Flow.Subscription> each) {
            this.first = first;
            this.each = each;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            first.accept(given);
        }

        @Override
        public void onNext(List<ByteBuffer> content) {
            var text = new StringBuilder();
            content.forEach(buffer -> text.append(ISO_8859_1.decode(buffer)));
            signals.add("" + text);
            each.accept(subscription);
        }

        @Override
        public void onComplete() {
            signals.add("complete");
        }

        @Override
        public void onError(Throwable cause) {
            signals.add("error: " + cause.getMessage());
        }

        @Override
        public void close() {
            signals.add("close");
        }
    }

    private static String shown(FormFile file) throws Exception {
        Object body = ((BodySubscriber<?>) file.receiver()).getBody().toCompletableFuture().get();
        if (body instanceof byte[] bytes) {
            body = new String(bytes, ISO_8859_1);
        } else if (body instanceof InputStream in) {
            body = new String(in.readAllBytes(), ISO_8859_1);
        } else if (body instanceof Path path) {
            body = Files.readString(path);
        }
        return file.field() + " " + file.name() + " " + file.type() + " " + file.size() + " " + file.path()
                + ": " + body + "\n";
    }

    /** Those of the JDK, each for a file of its name. */
    @Test
    void subscribersOfTheJdkReceive() throws Exception {
        Map<String, BodySubscriber<?>> subscribers = Map.of("array", BodySubscribers.ofByteArray(),
                "text", BodySubscribers.ofString(ISO_8859_1), "stream", BodySubscribers.ofInputStream(),
                "file", BodySubscribers.ofFile(folder.resolve("kept")), "none", BodySubscribers.discarding());
        serve(FormLimits.DEFAULT, (request, head) -> subscribers.get(head.name()), (request, form) -> {
            var shown = new StringBuilder(form.get("a", "") + "\n");
            for (FormFile file : form.files()) {
                shown.append(shown(file));
            }
            return Response.text(200, "" + shown);
        });
        assertEquals("""
                x
                array n null 3 null: abc
                text n text/plain 3 null: \r
                -
                stream n null 0 null:\s
                file n null 1 null: k
                none n null 2 null: null
                """, post(part(FIELD + "array; filename=n", "abc"),
                part(FIELD + "text; filename=n\r\nContent-Type: text/plain", "\r\n-"),
                part(FIELD + "a", "x"), part(FIELD + "stream; filename=n", ""),
                part(FIELD + "unused; filename=\"\"", ""), part(FIELD + "file; filename=n", "k"),
                part(FIELD + "none; filename=n", "yz")).text());
    }

    /** The subscriber, what it gets of a body with two parts, and the status. */
    static Stream<List<Object>> wants() {
        Consumer<Flow.Subscription> nothing = subscription -> { };
        Consumer<Flow.Subscription> one = subscription -> subscription.request(1);
        Consumer<Flow.Subscription> all = subscription -> subscription.request(Long.MAX_VALUE);
        Consumer<Flow.Subscription> cancel = Flow.Subscription::cancel;
        Consumer<Flow.Subscription> failure = subscription -> {
            throw new IllegalStateException("mine");
        };
        return Stream.of(
                List.of(one, one, "abc complete close", "200 1"),
                List.of(all, all, "abc complete close", "200 1"),
                List.of(one.andThen(all), nothing, "abc complete close", "200 1"),
                List.of(one, nothing, "abc complete close", "200 1"),
                List.of(cancel, nothing, "close", "200 null"),
                List.of(one, cancel, "abc close", "200 null"),
                List.of(one, one.andThen(cancel).andThen(cancel).andThen(one), "abc close", "200 null"),
                List.of(failure, nothing, "close", "500"),
                List.of(one, failure, "abc close", "500"),
                List.of((Consumer<Flow.Subscription>) subscription -> subscription.request(0), nothing,
                        "error: requested 0 lists; allowed: 1 or more close", "500"),
                List.of(one, (Consumer<Flow.Subscription>) subscription -> subscription.request(-1),
                        "abc error: requested -1 lists; allowed: 1 or more close", "500"));
    }

    @ParameterizedTest
    @MethodSource("wants")
    @SuppressWarnings("unchecked")
    void subscriberGetsTheBuffersItRequests(List<Object> row) throws Exception {
        serve(FormLimits.DEFAULT, (request, head) -> new Wanting((Consumer<Flow.Subscription>) row.get(0),
                (Consumer<Flow.Subscription>) row.get(1)), (request, form) -> Response.text(200,
                        form.files().size() + " " + form.file("f").size() + " " + form.get("a", null)));
        RawResponse response = post(part(FILE, "abc"), part(FIELD + "a", "1"));
        assertEquals(row.get(2), String.join(" ", signals));
        String status = (String) row.get(3);
        assertEquals(status.substring(0, 3), "" + response.status());
        if (response.status() == 200) {
            assertTrue(response.text().matches("1 [03]" + status.substring(3)), response.text());
        }
    }

    /** Each is told of its own file; and of a later failure only by its close. */
    @Test
    void aFormThatFailsLaterClosesAll() throws Exception {
        serve(FormLimits.DEFAULT.withFile(3), (request, head) -> new Wanting(
                subscription -> subscription.request(9), subscription -> { }), (request, form) -> null);
        RawResponse response = post(part(FILE, "abc"), part(FILE, "x"), part(FILE, "defg"));
        assertEquals("the file may have 3 bytes (part 3, \"f\")\n", response.text());
        assertEquals(List.of("abc", "complete", "x", "complete",
                "error: the file may have 3 bytes (part 3, \"f\")", "close", "close", "close"), signals);
    }

    @Test
    void aReceiverOrAResponderRefusesAFormWithAStatusOfItsOwn() throws Exception {
        serve(FormLimits.DEFAULT, (request, head) -> {
            if (head.type() == null) {
                throw new RequestException(415, "only images");
            }
            throw new IOException("mine");
        }, (request, form) -> {
            throw new RequestException(409, "nothing to add");
        });
        RawResponse response = post(part(FIELD + "a", "1"), part(FILE, "abc"));
        assertEquals(415, response.status());
        assertEquals("only images (part 2, \"f\")\n", response.text());
        response = post(part(FIELD + "a", "1"));
        assertEquals("409 nothing to add\n", response.status() + " " + response.text());
        assertEquals(0, server.log.count("handler_error"));
        assertEquals(500, post(part(FILE + "\r\nContent-Type: image/png", "abc")).status());
        assertEquals("mine", server.awaitEvent("handler_error").cause().getMessage());
    }

    @Test
    void withoutASubscriberAFileGoesToTheFolderWhichMustBeThere() throws Exception {
        serve(FormLimits.DEFAULT, (request, head) -> null, (request, form) -> Response.text(200, ""));
        assertEquals(200, post(part(FIELD + "a", "x"), part(FIELD + "f; filename=\"\"", "")).status());
        assertEquals(500, post(part(FILE, "x")).status());
        assertEquals("a file of a form has neither a receiver nor a folder",
                server.awaitEvent("handler_error").cause().getMessage());
        server.close();
        server = new TestServer(new FormHandler(folder, LARGE, executor, (request, form) ->
                Response.text(200, Files.readString(form.file("f").path())))
                .withReceiver((request, head) -> null));
        assertEquals("x", post(part(FILE, "x")).text());
    }

    /** What it does not request is not read from its client, and meanwhile the only thread serves others. */
    @Test
    void aSlowSubscriberSlowsItsClientAlone() throws Exception {
        var slow = new CompletableFuture<Wanting>();
        var length = new CompletableFuture<Long>();
        int size = 50_000_000;
        serve(LARGE, (request, head) -> {
            var subscriber = new Wanting(subscription -> { }, subscription -> signals.clear());
            slow.complete(subscriber);
            return subscriber;
        }, (request, form) -> {
            form.files().forEach(file -> length.complete(file.size()));
            return Response.text(200, "");
        });
        String begin = "--b\r\n" + part(FILE, "");
        String end = "\r\n--b--";
        RawClient client = server.connect().send(head(TYPE, "Content-Length: "
                + (begin.length() + size + end.length())) + begin);
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
            try {
                client.send(new byte[size]).send(end);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThrows(TimeoutException.class, () -> sent.get(500, TimeUnit.MILLISECONDS));
        assertTrue(server.itself.stats().bytesIn() < 200_000, "read though nothing is requested");
        assertEquals(200, post(part(FIELD + "a", "x")).status());
        slow.get().subscription.request(3);
        assertThrows(TimeoutException.class, () -> sent.get(500, TimeUnit.MILLISECONDS));
        assertTrue(server.itself.stats().bytesIn() < 500_000, "read though no more is requested");
        slow.get().subscription.request(Long.MAX_VALUE);
        assertEquals(200, client.response().status());
        assertEquals(size, length.get());
    }

    @Test
    void aSubscriberThatRequestsNothingIsGivenUp() throws Exception {
        var options = TestServer.options().withHandlerTimeout(Duration.ofMillis(100));
        server = new TestServer(options, new FormHandler(null, LARGE, executor, (request, form) -> null)
                .withReceiver((request, head) -> new Wanting(subscription -> { }, subscription -> { })));
        assertEquals(503, post(part(FILE, "abc")).status());
        while (signals.size() < 2) {
            Thread.onSpinWait();
        }
        assertEquals(2, signals.size());
        assertTrue(signals.get(0).startsWith("error: "), "" + signals);
        assertEquals("close", signals.get(1));
    }

    /** Requests of any thread, one by one, of bodies in pieces of any size: nothing is lost or reordered. */
    @Test
    void requestsComeFromAnyThread() throws Exception {
        var random = new Random(1);
        ExecutorService others = Executors.newFixedThreadPool(3);
        serve(LARGE, (request, head) -> new Wanting(subscription -> subscription.request(1), subscription ->
                others.execute(() -> subscription.request(1))), (request, form) -> Response.text(200,
                        form.files().size() + " " + String.join("", signals).replace("close", "")));
        for (int i = 0; i < 300; i++) {
            signals.clear();
            var content = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                content.append("\r\n-bx".charAt(random.nextInt(3)));
            }
            String body = body(part(FILE, "" + content), part(FILE, "z"));
            RawClient client = server.connect().send(head(TYPE, "Content-Length: " + body.length()));
            for (int at = 0; at < body.length(); ) {
                int next = Math.min(body.length(), at + 1 + random.nextInt(30));
                client.send(body.substring(at, next));
                at = next;
            }
            assertEquals("2 " + content + "completezcomplete", client.response().text());
        }
        others.shutdownNow();
    }
}
