package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.microhttp.Inside;
import org.microhttp.Options;
import org.microhttp.testing.*;
import org.microhttp.wire.WireVector.Step;

/** Plays a vector with a server of its own, as often as wanted, each time on another connection. */
final class WirePlay implements AutoCloseable {

    private static final Set<String> REFUSED =
            Set.of("refuse", "exceed_request_max_close", "request_timeout", "socket_timeout");

    private final ManualClock clock = new ManualClock();
    private final WireHandler handler = new WireHandler();
    private final WireVector vector;
    private final TestServer server;
    private int connections;
    private RawClient client;
    private String id;

    WirePlay(WireVector vector, Options options) throws IOException {
        this.vector = vector;
        server = new TestServer(clock.in(options), handler);
    }

    /** @param cut what is sent at once of a text */
    void play(String way, Function<String, List<String>> cut) throws Exception {
        handler.held.clear();
        client = server.connect();
        connections++;
        id = server.awaitEvent("accept", connections).value("id");
        int line = 0;
        try {
            for (Step step : vector.steps()) {
                line = step.line();
                take(step, cut);
                if (step == vector.last()) {
                    client.close();
                    server.awaitEvent("close", connections);
                }
            }
        } catch (AssertionError | IOException | RuntimeException e) {
            throw new AssertionError("wire.txt line " + line + ", " + way + ": " + e.getMessage()
                    + "; logged: " + server.log.story(Long.parseLong(id)), e);
        }
    }

    private void take(Step step, Function<String, List<String>> cut) throws Exception {
        if (step instanceof Step.Log log) {
            pause();
            checkLog(log.events());
        } else if (step instanceof Step.Send send) {
            send(cut.apply(send.text()));
        } else if (step instanceof Step.Act act) {
            act(act.what());
        } else if (step instanceof Step.See see) {
            see(see.what());
        } else if (step instanceof Step.Refusal refusal) {
            expect(refusal);
        } else {
            var get = (Step.Get) step;
            for (int i = 0; i < get.times(); i++) {
                expect(get);
            }
        }
    }

    private void send(List<String> pieces) throws Exception {
        try {
            for (int i = 0; i < pieces.size(); i++) {
                client.send(pieces.get(i));
                if (i < pieces.size() - 1) {
                    pause();
                }
            }
        } catch (IOException e) {
            // the server may be gone; what it sent before can still be read
        }
    }

    private void act(String what) throws Exception {
        switch (what) {
            case "half-close" -> client.halfClose();
            case "reset" -> client.reset();
            case "pause" -> pause();
            case "answer" -> handler.answer();
            default -> {
                pause();
                clock.pass(server.itself, WireVector.duration(what.substring("pass ".length())));
            }
        }
    }

    /** Returns when the server has read what was sent: it selects between two tasks. */
    private void pause() throws ReflectiveOperationException {
        for (int i = 0; i < 2; i++) {
            var done = new CountDownLatch(1);
            Inside.execute(server.loop, done::countDown);
            TestServer.await(done);
        }
    }

    private void see(String what) throws Exception {
        switch (what) {
            case "end" -> client.expectEnd();
            case "gone" -> assertEquals("", client.readUntilItFails());
            default -> {
                pause();
                // a channel has no time limit
                if (server.port() > 0) {
                    assertEquals("", client.readWithin(1), "something came, or the end (null)");
                }
            }
        }
    }

    private void expect(Step.Get expected) throws IOException {
        RawResponse response = client.response(expected.toHead());
        if (expected.status() == 100) {
            assertEquals("HTTP/1.1 100 Continue\r\n\r\n", response.head());
            return;
        }
        boolean bodiless = expected.toHead() || response.hasNoBody(false);
        var fields = new ArrayList<>(expected.fields());
        if (fields.isEmpty() && expected.status() != 204 && expected.status() != 304) {
            fields.add("Content-Length: " + expected.body().length());
        }
        if (expected.connection() != null) {
            fields.add("Connection: " + (expected.connection().equals("keeps") ? "keep-alive" : "close"));
        }
        String head = "HTTP/1.1 " + expected.status() + " " + WireHandler.reason(expected.status()) + "\r\n"
                + String.join("", fields.stream().map(field -> field + "\r\n").toList()) + "\r\n";
        boolean dated = fields.stream().anyMatch(field -> field.startsWith("Date"));
        assertEquals(head + (bodiless ? "" : expected.body()),
                dated ? response.head() + response.text() : response.undated());
        if ("closes".equals(expected.connection())) {
            client.expectEnd();
        }
    }

    private void expect(Step.Refusal expected) throws IOException {
        if (expected.toHead()) {
            RawResponse response = client.response(true);
            assertEquals(expected.status(), response.status());
            assertTrue(Integer.parseInt(response.header("Content-Length")) > 0);
            client.expectEnd();
        } else {
            client.expectRefusal(expected.status(), expected.code());
        }
        var refused = server.log.events().stream().filter(event -> id.equals(event.value("id"))
                && REFUSED.contains(event.name())).findFirst().orElseThrow().values();
        assertEquals(expected.status() + " " + expected.code(),
                refused.get("status") + " " + refused.get("code"));
        assertTrue(refused.get("rule").contains("RFC "), refused.get("rule"));
        assertFalse(refused.get("rule").contains(expected.code() + ":"), refused.get("rule"));
    }

    /** The names of all events in order, or "no NAME", or one with some of its values. */
    private void checkLog(String expected) {
        var names = server.log.story(Long.parseLong(id));
        String[] words = expected.split(" ");
        if (expected.startsWith("no ")) {
            assertFalse(names.contains(words[1]), expected);
        } else if (expected.contains("=")) {
            assertTrue(server.log.events().stream().anyMatch(event -> id.equals(event.value("id"))
                    && event.name().equals(words[0]) && Arrays.stream(words).skip(1).allMatch(word ->
                    word.equals(word.replaceFirst("=.*", "=") + event.value(word.replaceFirst("=.*", ""))))),
                    expected);
        } else {
            assertEquals(expected, String.join(" ", names));
        }
    }

    /** Serves others, whatever was played. */
    void assertServes() throws IOException {
        if (!vector.options().proxyProtocol()) {
            server.assertServes();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
