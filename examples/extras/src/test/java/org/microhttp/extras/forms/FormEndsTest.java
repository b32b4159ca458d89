package org.microhttp.extras.forms;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.microhttp.extras.testing.FormService.*;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.*;
import org.microhttp.extras.testing.FormService;
import org.microhttp.testing.*;

/**
 * However a form ends, no file and no descriptor is left, which {@link FormService} checks at its end, and a
 * subscriber of the program's own is told once, and closed once.
 */
@Tier.Program
final class FormEndsTest {

    private static final String WHOLE = body(part(FIELD + "a", "x"), part(FILE, "yz"));

    /** The form up to the middle of the file. */
    private static final int MIDDLE = WHOLE.indexOf("yz") + 1;

    @TempDir
    private Path folder;
    private final Queue<Noted> noted = new ConcurrentLinkedQueue<>();
    private final CountDownLatch responding = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /** The tasks of an executor; with the test itself, until the form has come to its middle. */
    private final Phaser running = new Phaser(1);
    private FormService forms;

    /** Writes to the disk, and writes down what it is told. */
    private static final class Noted implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {

        final List<String> signals = new CopyOnWriteArrayList<>();
        private final DiskFile file;

        Noted(Path folder) {
            file = new DiskFile(folder);
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            file.onSubscribe(subscription);
        }

        @Override
        public void onNext(List<ByteBuffer> content) {
            file.onNext(content);
        }

        @Override
        public void onComplete() {
            signals.add("complete");
            file.onComplete();
        }

        @Override
        public void onError(Throwable cause) {
            signals.add("error");
            file.onError(cause);
        }

        @Override
        public void close() throws IOException {
            signals.add("close");
            file.close();
        }
    }

    @AfterEach
    void close() throws IOException {
        if (forms != null) {
            forms.close();
        }
    }

    private interface End {

        /** @param client has sent a form up to the middle of its file, which has been made */
        void happen(FormEndsTest test, RawClient client) throws Exception;
    }

    /** How a form ends; what its subscriber is told; and the service, null for the usual one. */
    private record Row(String name, String told, Function<FormEndsTest, FormService> service, End end) {

        @Override
        public String toString() {
            return name;
        }
    }

    private FormService service(Options options, UnaryOperator<Executor> around,
            UnaryOperator<Handler> outer, boolean own) {
        try {
            return new FormService(folder, options, around, handler -> outer.apply(
                    own ? handler.withReceiver((request, head) -> note(new Noted(folder))) : handler));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Noted note(Noted subscriber) {
        noted.add(subscriber);
        return subscriber;
    }

    private void answers(RawClient client, int status) throws IOException {
        assertEquals(status, client.response().status());
    }

    private void sendRest(RawClient client) throws IOException {
        client.send(WHOLE.substring(MIDDLE));
    }

    /** The responder does not return before the test says so. */
    private void hold() {
        forms.function = form -> {
            responding.countDown();
            TestServer.await(go);
            return Response.text(200, "");
        };
    }

    static Stream<Row> ends() {
        return Stream.of(
                row("a reset", "error", (test, client) -> client.reset()),
                row("the client's side ends", "error", (test, client) -> client.halfClose()),
                row("malformed", "complete", (test, client) ->
                        test.answers(client.send("\r\n--b\r\n\r\n"), 400)),
                row("no end", "error", (test, client) ->
                        test.answers(client.send("y".repeat(WHOLE.length() - MIDDLE)), 400)),
                row("a responder throws", "complete", (test, client) -> {
                    test.forms.function = form -> {
                        throw new IllegalStateException("mine");
                    };
                    test.sendRest(client);
                    test.answers(client, 500);
                }),
                row("no response", "complete", (test, client) -> {
                    test.forms.function = form -> null;
                    test.sendRest(client);
                    test.answers(client, 500);
                }),
                row("a response that nobody waits for", "complete", (test, client) -> {
                    test.hold();
                    test.sendRest(client);
                    TestServer.await(test.responding);
                    client.reset();
                    test.forms.awaitFiles(0);
                    test.go.countDown();
                    test.forms.server.awaitEvent("response_late");
                }),
                row("a stop", "error", (test, client) -> test.forms.server.itself.stop()),
                row("a stop when the responder runs", "complete", (test, client) -> {
                    test.hold();
                    test.sendRest(client);
                    TestServer.await(test.responding);
                    test.forms.server.itself.stop();
                    test.forms.awaitFiles(0);
                    test.go.countDown();
                }),
                row("a graceful stop", "complete", (test, client) -> {
                    test.forms.server.beginGracefulStop(Duration.ofSeconds(30));
                    test.sendRest(client);
                    test.answers(client, 200);
                }),
                row("a graceful stop that is too short", "error", (test, client) ->
                        test.forms.server.stopGracefully(Duration.ofMillis(50)).dropped()));
    }

    /** Of a client that is done, and other services. */
    static Stream<Row> otherServices() {
        return Stream.of(
                row("a reset after the file", "complete", FormEndsTest::usual, (test, client) -> {
                    client.send("\r\n--b\r\n");
                    while (test.noted.peek().signals.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    client.reset();
                }),
                row("no responder's answer in time", "complete", FormEndsTest::withShortTime,
                        (test, client) -> {
                            test.hold();
                            test.sendRest(client);
                            test.answers(client, 503);
                            test.forms.awaitFiles(0);
                            test.go.countDown();
                        }),
                row("too slow", "error", test -> test.service(
                        TestServer.options().withSocketTimeout(Duration.ofMillis(100)), own -> own,
                        handler -> handler, true), (test, client) -> test.answers(client, 408)),
                row("an executor that rejects the rest", "error", test -> test.withExecutor(
                        new ThreadPoolExecutor.AbortPolicy()), (test, client) -> {
                            test.sendRest(client);
                            test.answers(client, 500);
                        }),
                row("an executor that rejects the end", "error", test -> test.withExecutor(
                        new ThreadPoolExecutor.AbortPolicy()), (test, client) -> client.reset()),
                row("an executor that drops the rest", "error", test -> test.withExecutor(
                        (task, pool) -> test.responding.countDown()), (test, client) -> {
                            test.sendRest(client);
                            TestServer.await(test.responding);
                            client.reset();
                        }),
                row("another handler's answer", "complete", test -> test.service(TestServer.options(),
                        own -> own, handler -> handler.wrappedBy((request, callback) ->
                                callback.accept(Response.text(401, ""))), true), (test, client) -> {
                                    test.sendRest(client);
                                    test.answers(client, 401);
                                    while (!test.forms.left().isEmpty()) {
                                        System.gc();
                                    }
                                }));
    }

    private static Row row(String name, String told, End end) {
        return new Row(name, told, null, end);
    }

    private static Row row(String name, String told, Function<FormEndsTest, FormService> service, End end) {
        return new Row(name, told, service, end);
    }

    private FormService usual() {
        return service(TestServer.options(), own -> own, handler -> handler, true);
    }

    private FormService withShortTime() {
        return service(TestServer.options().withHandlerTimeout(Duration.ofMillis(100)), own -> own,
                handler -> handler, true);
    }

    /** With an executor that does that instead, once the middle of the form is written. */
    private FormService withExecutor(RejectedExecutionHandler then) {
        var full = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), then);
        full.shutdown();
        return service(TestServer.options(), own -> task -> {
            if (running.register() < 0) {
                full.execute(task);
            } else {
                own.execute(() -> {
                    task.run();
                    running.arriveAndDeregister();
                });
            }
        }, handler -> handler, true);
    }

    @ParameterizedTest
    @MethodSource("ends")
    void leavesNothingOnTheDisk(Row row) throws Exception {
        forms = service(TestServer.options(), own -> own, handler -> handler, false);
        end(row);
    }

    @ParameterizedTest
    @MethodSource({"ends", "otherServices"})
    void subscriberGetsOneEnd(Row row) throws Exception {
        forms = row.service == null ? usual() : row.service.apply(this);
        end(row);
        assertEquals(1, noted.size());
        assertEquals(List.of(row.told, "close"), noted.peek().signals);
    }

    private void end(Row row) throws Exception {
        forms.function = form -> Response.text(200, "");
        RawClient client = forms.send(TYPE, "Content-Length: " + WHOLE.length(),
                WHOLE.substring(0, MIDDLE - 1));
        forms.awaitFiles(1);
        client.send(WHOLE.substring(MIDDLE - 1, MIDDLE));
        Path file = forms.left().get(0);
        while (Files.size(file) == 0) {
            Thread.onSpinWait();
        }
        // what comes now is a task of its own
        running.awaitAdvanceInterruptibly(running.arriveAndDeregister(), 20, TimeUnit.SECONDS);
        row.end.happen(this, client);
        forms.awaitFiles(0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leavesNothingOfAFormThatIsCutAtAnyByte(boolean reset) throws Exception {
        forms = usual();
        forms.function = form -> fail("an incomplete form");
        int made = WHOLE.indexOf("yz");
        for (int i = 0; i < WHOLE.length(); i++) {
            RawClient client = forms.send(TYPE, "Content-Length: " + WHOLE.length(),
                    WHOLE.substring(0, i));
            if (i >= made) {
                forms.awaitFiles(1);
            }
            if (reset) {
                client.reset();
            } else {
                client.halfClose().readUntilItFails();
            }
            forms.awaitFiles(0);
        }
        assertEquals(WHOLE.length() - made, noted.size());
        noted.forEach(each -> assertTrue(each.signals.equals(List.of("error", "close"))
                || each.signals.equals(List.of("complete", "close")), "" + each.signals));
    }

    private static Stream<FormResponder> readers() {
        FormResponder nio = (request, form) ->
                Response.text(200, Files.readString(form.file("f").path()));
        return Stream.of(nio,
                (request, form) -> Response.text(200, "" + Files.move(form.file("f").path(), Path.of("x"))),
                (request, form) -> {
                    try (var in = new FileInputStream(form.file("f").path().toFile())) {
                        return Response.of(200, "text/plain", in.readAllBytes());
                    }
                },
                (request, form) -> {
                    try {
                        return nio.respond(request, form);
                    } catch (IOException e) {
                        throw new IllegalStateException(new UncheckedIOException(e));
                    }
                });
    }

    /** A client that leaves has its files deleted, which alone must not be logged as a failure. */
    @ParameterizedTest
    @MethodSource("readers")
    void aFileThatIsDeletedWithItsClientIsNoFailureOfTheResponder(FormResponder reader) throws Exception {
        var handler = new FormHandler(folder, LIMITS, (request, form) -> {
            responding.countDown();
            TestServer.await(go);
            return reader.respond(request, form);
        });
        try (var server = new TestServer(handler)) {
            RawClient client = server.connect().send(head(TYPE, "Content-Length: " + WHOLE.length()) + WHOLE);
            TestServer.await(responding);
            client.reset();
            while (folder.toFile().list().length > 0) {
                Thread.onSpinWait();
            }
            go.countDown();
            server.awaitEvent("response_late");
            assertEquals(0, server.log.count("handler_error"));
        }
    }

    @Test
    void aFolderThatIsGoneIs500() throws Exception {
        try (var service = new FormService(folder)) {
            String end = WHOLE.substring(MIDDLE, WHOLE.length() - "--\r\n".length());
            String second = "\r\n" + part(FILE, "z") + "\r\n--b--";
            int length = MIDDLE + end.length() + second.length();
            RawClient client = service.send(TYPE, "Content-Length: " + length, WHOLE.substring(0, MIDDLE));
            service.awaitFiles(1);
            Files.delete(service.left().get(0));
            Files.delete(folder);
            assertEquals(500, client.send(end + second).response().status());
            service.server.awaitEvent("handler_error");
            Files.createDirectory(folder);
        }
    }

    @Test
    void aFullDiskIs500() throws Exception {
        assumeTrue(Programs.isInstalled("mount"), "no mount");
        Process mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=4k", "forms", "" + folder)
                .redirectErrorStream(true).start();
        assumeTrue(mount.waitFor() == 0, "no rights to mount");
        try (var service = new FormService(folder)) {
            service.function = form -> Response.text(200, "");
            assertEquals(200, service.post(body(part(FILE, "y".repeat(4096)))).status());
            assertEquals(500, service.post(body(part(FILE, "y".repeat(4097)))).status());
            assertEquals("No space left on device", service.server.awaitEvent("handler_error").cause()
                    .getCause().getMessage());
            assertEquals(200, service.post(body(part(FILE, "y".repeat(4096)))).status());
        } finally {
            Programs.run(0, "umount", "" + folder);
        }
    }
}
