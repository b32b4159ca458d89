package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.*;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.Options;
import org.microhttp.lifecycle.tools.SocketParent;
import org.microhttp.testing.*;

/** R25: a server at a listening socket that it was started with: it is another's, before and afterwards. */
@Tier.Gate
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class InheritedSocketTest {

    private static final String MAIN = Main.class.getName();

    @TempDir
    private Path folder;

    private SocketParent parent(boolean unix, String... arguments) throws IOException {
        SocketParent.assumePossible();
        return new SocketParent(unix ? folder.resolve("socket") : null, MAIN, arguments);
    }

    private static String ask(SocketAddress address, String target) throws IOException {
        try (RawClient client = RawClient.to(address)) {
            return client.get(target).response().text();
        }
    }

    /** Where it listens is where its parent does, whatever host, port and path its options have. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isServedByAllLoopsOfAGroup(boolean unix) throws Exception {
        try (var parent = parent(unix, "3")) {
            parent.start();
            int port = unix ? -1 : ((InetSocketAddress) parent.address).getPort();
            assertEquals(port + " " + parent.address, ask(parent.address, "/address"));
            var clients = new ArrayList<RawClient>();
            var threads = new TreeSet<String>();
            for (int i = 0; i < 9; i++) {
                clients.add(RawClient.to(parent.address));
                threads.add(clients.get(i).get("/thread").response().text());
            }
            assertEquals(3, threads.size(), threads::toString);
            for (RawClient client : clients) {
                client.close();
            }
            parent.stop();
            assertTrue(!unix || Files.exists(folder.resolve("socket")), "not its own");
        }
    }

    /** Clients that connect anew for each request, all the while; each gets its answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void restartsWithoutOneRefusedConnection(boolean unix) throws Exception {
        try (var parent = parent(unix, "1")) {
            parent.start();
            Set<String> servers = new ConcurrentSkipListSet<>();
            var over = new AtomicBoolean();
            var answered = new AtomicInteger();
            List<CompletableFuture<Void>> clients = List.of(
                    CompletableFuture.runAsync(() -> askUntil(over, answered, parent.address, servers)),
                    CompletableFuture.runAsync(() -> askUntil(over, answered, parent.address, servers)));
            for (int i = 2; i <= 4; i++) {
                awaitMore(answered, clients);
                parent.stop();
                parent.start();
            }
            awaitMore(answered, clients);
            over.set(true);
            for (CompletableFuture<Void> client : clients) {
                client.get(30, TimeUnit.SECONDS);
            }
            assertEquals(4, servers.size(), "each has answered");
        }
    }

    private static void awaitMore(AtomicInteger answered, List<CompletableFuture<Void>> clients) {
        int before = answered.get();
        while (answered.get() < before + 20 && clients.stream().noneMatch(CompletableFuture::isDone)) {
            Thread.onSpinWait();
        }
    }

    private static void askUntil(AtomicBoolean over, AtomicInteger answered, SocketAddress address,
            Set<String> servers) {
        try {
            while (!over.get()) {
                servers.add(ask(address, "/pid"));
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** In a graceful stop it accepts nobody any more, though it would have a place for them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitingClientsAreLeftToTheNext(boolean unix) throws Exception {
        try (var parent = parent(unix, "1", "one at a time")) {
            parent.start();
            RawClient first = RawClient.to(parent.address).get("/pid");
            String pid = first.response().text();
            var waiting = new ArrayList<RawClient>();
            for (int i = 0; i < 10; i++) {
                waiting.add(RawClient.to(parent.address).send("GET /pid HTTP/1.1\r\nHost: x\r\n"
                        + "Connection: close\r\n\r\n"));
            }
            parent.stop();
            first.expectEnd();
            parent.start();
            var others = new TreeSet<String>();
            for (RawClient client : waiting) {
                others.add(client.response().text());
            }
            assertEquals(1, others.size(), others::toString);
            assertTrue(!others.contains(pid), "the next has answered all");
        }
    }

    /** A server that stops gracefully when its process is ended. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws Exception {
            var options = TestServer.options().withUnixSocket(Path.of("/nowhere/socket"))
                    .withListener((ServerSocketChannel) System.inheritedChannel())
                    .withMaxConnections(arguments.length == 2 ? 1 : Options.NO_LIMIT);
            var servers = new CompletableFuture<EventLoopGroup>();
            var group = new EventLoopGroup(options, new NoopLogger(), (request, callback) ->
                    callback.accept(TestServer.ok(answer(request.target(), servers.join()))),
                    Integer.parseInt(arguments[0]));
            servers.complete(group);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> group.stop(Duration.ofSeconds(20))));
            System.out.println("listening");
            group.start();
        }

        private static String answer(String target, EventLoopGroup group) {
            return switch (target) {
                case "/pid" -> "" + ProcessHandle.current().pid();
                case "/thread" -> Thread.currentThread().getName();
                default -> group.getPort() + " " + group.getAddress();
            };
        }
    }
}
