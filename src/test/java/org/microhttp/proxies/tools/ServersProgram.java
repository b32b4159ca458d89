package org.microhttp.proxies.tools;

import static java.util.stream.Collectors.joining;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.microhttp.EventLoop;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * A process with many servers, each a loop on a thread and a port of its own. The property {@code ports}
 * names these, with spaces, 0 for a free one. It prints the first, and then an answer to each line that it is
 * sent: {@code ports}; {@code answered}, how many requests each has answered; {@code restart 3}, which stops
 * that server with a grace and starts another on its port, and {@code leave}, which stops all and ends the
 * process: how many requests were dropped; {@code unready}, which has all of them say that no more shall be
 * sent.
 */
final class ServersProgram {

    private static final Duration GRACE = Duration.ofSeconds(10);

    /** How long a request to {@code /late} takes. */
    static final int LATE_MILLIS = 50;

    private static final Response HELLO = response(200, "OK", "hello world\n");
    private static final Response UNREADY = response(503, "Service Unavailable", "leaving\n");
    private static final Executor LATER =
            CompletableFuture.delayedExecutor(LATE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run);
    private static final Executor THREADS = task -> new Thread(task, "server").start();

    /** Of each connection; 0 for any number. */
    private static final int MAX_REQUESTS = Integer.getInteger("maxRequests", 0);

    private static volatile boolean ready = true;

    private final AtomicLong answered = new AtomicLong();
    private EventLoop loop;

    private ServersProgram(int port) throws IOException {
        start(port);
    }

    public static void main(String[] arguments) throws IOException {
        List<ServersProgram> servers = new ArrayList<>();
        for (String port : System.getProperty("ports").split(" ")) {
            servers.add(new ServersProgram(Integer.parseInt(port)));
        }
        System.out.println(servers.get(0).loop.getPort());
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null; ) {
            System.out.println(obey(servers, line));
            if (line.equals("leave")) {
                System.exit(0);
            }
        }
        System.exit(1);
    }

    private static String obey(List<ServersProgram> servers, String line) throws IOException {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "ports":
                return each(servers, server -> server.loop.getPort());
            case "answered":
                return each(servers, server -> server.answered.get());
            case "restart":
                return "" + servers.get(Integer.parseInt(words[1])).restart();
            case "unready":
                ready = false;
                return "";
            case "leave":
                return "" + leave(servers);
            default:
                throw new IllegalArgumentException(line);
        }
    }

    private static String each(List<ServersProgram> servers, Function<ServersProgram, Object> fact) {
        return servers.stream().map(server -> "" + fact.apply(server)).collect(joining(" "));
    }

    private void start(int port) throws IOException {
        Options options = new Options().withHost("127.0.0.1").withPort(port);
        if (MAX_REQUESTS > 0) {
            options.withMaxRequestsPerConnection(MAX_REQUESTS);
        }
        loop = new EventLoop(options, new NoopLogger(), this::handle);
        THREADS.execute(loop::start);
    }

    private int restart() throws IOException {
        int port = loop.getPort();
        int dropped = loop.stop(GRACE);
        start(port);
        return dropped;
    }

    /** All at the same time, as the end of a process is that of all its servers. */
    private static int leave(List<ServersProgram> servers) {
        List<CompletableFuture<Integer>> leaving = servers.stream()
                .map(server -> CompletableFuture.supplyAsync(() -> server.loop.stop(GRACE), THREADS))
                .toList();
        return leaving.stream().mapToInt(CompletableFuture::join).sum();
    }

    private void handle(Request request, Consumer<Response> callback) {
        if (request.uri().equals("/ready")) {
            callback.accept(ready ? HELLO : UNREADY);
        } else if (request.uri().equals("/late")) {
            LATER.execute(() -> answer(callback));
        } else {
            answer(callback);
        }
    }

    private void answer(Consumer<Response> callback) {
        answered.incrementAndGet();
        callback.accept(HELLO);
    }

    private static Response response(int status, String reason, String body) {
        return new Response(status, reason, List.of(), body.getBytes(StandardCharsets.US_ASCII));
    }
}
