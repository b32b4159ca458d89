package org.microhttp.wire.conformance;

import java.io.IOException;
import java.util.*;
import java.util.function.BooleanSupplier;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.RawResponse;

/** Plays the script of one case on a connection of its own and keeps what came back. */
final class ConformanceClient implements AutoCloseable {

    final List<RawResponse> responses = new ArrayList<>();
    final List<RawResponse> interims = new ArrayList<>();

    /** What came and is no whole response yet. */
    final StringBuilder rest = new StringBuilder();

    boolean closed;

    /** What came is no HTTP response. */
    boolean garbage;

    /** An interim response came before the body was sent. */
    boolean early;

    /** Nothing came in a silent step. */
    boolean silent = true;

    private final ConformanceCase script;
    private final int timeout;
    private final RawClient client;
    private long received;

    /** @param timeout how many milliseconds to wait for what should come */
    ConformanceClient(ConformanceCase script, int port, int timeout) throws IOException {
        this.script = script;
        this.timeout = timeout;
        client = new RawClient(port);
    }

    void play() throws IOException {
        for (Map<String, Object> step : script.script()) {
            play(step);
        }
        await(() -> responses.size() >= script.want() || garbage, timeout * script.patience());
        String rules = String.join(" ", script.pass()) + " " + String.join(" ", script.warn());
        if (rules.matches(".*\\bclosed\\b.*") && responses.size() >= script.want()) {
            await(() -> false, timeout);
        } else {
            await(() -> false, rules.matches(".*(\\bn[=<]|\\bopen\\b|\\bnoextra\\b).*") ? 200 : 50);
        }
    }

    private void play(Map<String, Object> step) throws IOException {
        switch ((String) step.get("do")) {
            case "send" -> send(step);
            case "pause", "settle" -> await(() -> false, millis(step, "ms"));
            case "silent" -> {
                long before = received;
                await(() -> received > before, millis(step, "ms"));
                silent &= received == before && !closed;
            }
            case "recv" -> {
                int wanted = ConformanceCase.number(step.getOrDefault("n", responses.size() + 1));
                await(() -> responses.size() >= wanted || garbage, timeout);
            }
            case "interim" -> {
                int before = interims.size();
                await(() -> interims.size() > before || !responses.isEmpty() || garbage, timeout);
                early |= interims.size() > before && interims.get(before).status() == 100;
            }
            case "fin" -> client.halfClose();
            default -> throw new IllegalArgumentException("unknown step " + step);
        }
    }

    private void send(Map<String, Object> step) {
        boolean skipped = closed && step.containsKey("if_open")
                || !responses.isEmpty() && step.containsKey("if_no_final");
        String text = skipped ? "" : ConformanceCase.text(step.get("data"));
        int piece = ConformanceCase.number(step.getOrDefault("split", Math.max(text.length(), 1)));
        try {
            for (int from = 0; from < text.length(); from += piece) {
                client.send(text.substring(from, Math.min(from + piece, text.length())));
                await(() -> false, millis(step, "gap_ms"));
            }
        } catch (IOException e) {
            // The server may be gone; what it sent before can still be read.
        }
    }

    /** Reads until the condition holds, the connection ends, or the time is up. */
    private void await(BooleanSupplier condition, int millis) {
        long until = System.nanoTime() + millis * 1_000_000L;
        while (!condition.getAsBoolean() && !closed) {
            int left = (int) ((until - System.nanoTime()) / 1_000_000);
            if (left <= 0) {
                return;
            }
            read(left);
        }
    }

    private void read(int millis) {
        try {
            String text = client.readWithin(millis);
            closed = text == null;
            rest.append(closed ? "" : text);
            received += closed ? 0 : text.length();
        } catch (IOException e) {
            closed = true;
        }
        try {
            takeResponses();
        } catch (AssertionError e) {
            garbage = true;
        }
    }

    private void takeResponses() {
        while (!garbage && !rest.isEmpty()) {
            boolean toHead = script.method(responses.size()).equals("HEAD");
            RawResponse response = RawResponse.first(rest.toString(), toHead);
            if (response == null) {
                return;
            }
            boolean interim = response.status() < 200 && response.status() != 101;
            (interim ? interims : responses).add(response);
            rest.delete(0, response.length());
        }
    }

    private static int millis(Map<String, Object> step, String name) {
        return ConformanceCase.number(step.getOrDefault(name, 0));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    @Override
    public String toString() {
        return "interim " + interims.size() + (early ? " early" : "")
                + ", final " + responses.stream().map(RawResponse::status).toList()
                + (garbage || !rest.isEmpty() ? ", rest " + rest : "") + (silent ? "" : ", spoke early")
                + (closed ? ", closed" : ", open");
    }
}
