package org.microhttp.wire.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Plays the script of one case on a connection of its own and keeps what came back. Reads while it sends. */
final class ConformanceClient implements AutoCloseable {

    /** No case takes longer. */
    private static final Duration CAP = Duration.ofSeconds(20);

    final List<ConformanceResponse> responses = new ArrayList<>();
    final List<ConformanceResponse> interims = new ArrayList<>();

    /** What came and is no whole response yet. */
    final StringBuilder rest = new StringBuilder();

    boolean closed;
    boolean garbage;

    /** An interim response came before the body was sent. */
    boolean early;

    /** Nothing came in a silent step. */
    boolean silent = true;

    private final ConformanceCase script;
    private final Duration timeout;
    private final SocketChannel channel;
    private final Selector selector = Selector.open();
    private final SelectionKey key;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final long end = System.nanoTime() + CAP.toNanos();
    private long received;

    /** @param timeout how long to wait for what should come */
    ConformanceClient(ConformanceCase script, int port, Duration timeout) throws IOException {
        this.script = script;
        this.timeout = timeout;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    void play() throws IOException {
        for (Map<String, Object> step : script.script()) {
            play(step);
        }
        await(() -> responses.size() >= script.want() || garbage, timeout.multipliedBy(script.patience()));
        String rules = String.join(" ", script.pass()) + " " + String.join(" ", script.warn());
        if (rules.matches(".*\\bclosed\\b.*") && responses.size() >= script.want()) {
            await(() -> false, timeout);
        } else {
            await(() -> false, millis(rules.matches(".*(\\bn[=<]|\\bopen\\b|\\bnoextra\\b).*") ? 200 : 50));
        }
    }

    private void play(Map<String, Object> step) throws IOException {
        switch ((String) step.get("do")) {
            case "send" -> send(step);
            case "pause", "settle" -> await(() -> false, millis(step.get("ms")));
            case "silent" -> {
                long before = received;
                await(() -> received > before, millis(step.get("ms")));
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
            case "fin" -> channel.shutdownOutput();
            default -> throw new IllegalArgumentException("unknown step " + step);
        }
    }

    private void send(Map<String, Object> step) throws IOException {
        boolean skipped = closed && step.containsKey("if_open")
                || !responses.isEmpty() && step.containsKey("if_no_final");
        byte[] bytes = skipped ? new byte[0]
                : ConformanceCase.text(step.get("data")).getBytes(StandardCharsets.ISO_8859_1);
        int piece = ConformanceCase.number(step.getOrDefault("split", Math.max(bytes.length, 1)));
        for (int from = 0; from < bytes.length; from += piece) {
            send(ByteBuffer.wrap(bytes, from, Math.min(piece, bytes.length - from)));
            if (step.containsKey("gap_ms")) {
                await(() -> false, millis(step.get("gap_ms")));
            }
        }
    }

    private void send(ByteBuffer piece) {
        try {
            while (channel.write(piece) >= 0 && piece.hasRemaining() && System.nanoTime() < end) {
                key.interestOps(SelectionKey.OP_WRITE | (closed ? 0 : SelectionKey.OP_READ));
                selector.select(500);
                selector.selectedKeys().clear();
                read();
            }
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException e) {
            // The server may be gone; what it sent before can still be read.
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    /** Reads until the condition holds, the connection ends, or the time is up. */
    private void await(BooleanSupplier condition, Duration time) throws IOException {
        long until = Math.min(System.nanoTime() + time.toNanos(), end);
        while (!condition.getAsBoolean() && !closed) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            selector.select(left);
            selector.selectedKeys().clear();
            read();
        }
    }

    private void read() {
        try {
            for (int count; !closed && (count = channel.read(buffer.clear())) != 0; ) {
                closed = count < 0;
                received += Math.max(count, 0);
                rest.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
            }
        } catch (IOException e) {
            closed = true;
        }
        takeResponses();
    }

    private void takeResponses() {
        try {
            while (!garbage && !rest.isEmpty()) {
                String method = script.method(responses.size());
                var response = ConformanceResponse.parse(rest.toString(), method, closed);
                if (response == null) {
                    return;
                }
                (response.isInterim() ? interims : responses).add(response);
                rest.delete(0, response.length());
            }
        } catch (ConformanceResponse.Garbage e) {
            garbage = true;
        }
    }

    private static Duration millis(Object number) {
        return Duration.ofMillis(ConformanceCase.number(number));
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }

    @Override
    public String toString() {
        List<String> statuses = responses.stream()
                .map(r -> r.status() + (r.complete() ? "" : " (cut)")).toList();
        return "interim " + interims.size() + (early ? " early" : "") + ", final " + statuses
                + (garbage || !rest.isEmpty() ? ", rest " + rest : "") + (silent ? "" : ", spoke early")
                + (closed ? ", closed" : ", open");
    }
}
