package org.microhttp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.testing.*;
import org.microhttp.testing.SourceText;

/**
 * The server waits for no monitor that a program can hold: a program may use every object it is given, or
 * gives, in {@code synchronized}, and for as long as it likes.
 */
@Timeout(value = 40, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MonitorsTest {

    private static final Duration GRACE = Duration.ofSeconds(20);

    private final MovedClock clock = new MovedClock();
    private final RecordingLogger log = new RecordingLogger();
    private final BlockingQueue<Consumer<Response>> later = new LinkedBlockingQueue<>();
    private final List<Object> locks = new CopyOnWriteArrayList<>();
    private final CountDownLatch unlock = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void end() throws IOException {
        unlock.countDown();
        closeClients();
    }

    private void closeClients() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    /** All classes of the library, also those in others. */
    private static List<Class<?>> classes() throws IOException, URISyntaxException {
        Path root = Path.of(EventLoop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(root.resolve("org"))) {
            return files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> !name.endsWith("package-info")).<Class<?>>map(MonitorsTest::load)
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, MonitorsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A program is given an object only as what it may know: a type of the API or of the JDK. */
    private static boolean canBeGiven(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) || type.getSuperclass() != Object.class
                || type.getInterfaces().length > 0;
    }

    @Test
    void noMethodTakesTheMonitorOfWhatAProgramCanBeGiven() throws Exception {
        var taken = new ArrayList<String>();
        List<Class<?>> classes = classes();
        for (Class<?> type : classes) {
            for (Method method : type.getDeclaredMethods()) {
                boolean monitor = Modifier.isSynchronized(method.getModifiers());
                if (monitor && canBeGiven(type)) taken.add(type.getSimpleName() + "." + method.getName());
            }
        }
        assertTrue(classes.contains(Exchange.class), classes::toString);
        assertEquals(List.of(), taken);
    }

    /** So there is no other object to be judged than those of synchronized methods. */
    @Test
    void noStatementTakesAMonitor() throws IOException {
        var taken = new ArrayList<String>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                String code = SourceText.withoutText(Files.readString(file));
                if (code.matches("(?s).*\\bsynchronized\\s*\\(.*")) taken.add(file.toString());
            }
        }
        assertEquals(List.of(), taken);
    }

    /** What a handler is given, and what it gives, is locked by another thread as long as the test lasts. */
    private void handle(Request request, Consumer<Response> callback) {
        ByteBuffer octets = ByteBuffer.wrap(new byte[4]);
        Runnable release = () -> { };
        Runnable abandoned = () -> { };
        request.onAbandoned(abandoned);
        Body body = Body.of(octets).onReleased(release);
        Response response = Bodies.response(body);
        locks.addAll(List.of(Thread.currentThread(), request, request.headers(), request.headers().get(0),
                request.method(), request.target(), request.version(), request.body(),
                request.remoteAddress(), callback, callback.getClass(), octets, release, abandoned, body,
                response, response.headers(), response.withHeader("X", "1")));
        if (request.target().equals("/later")) {
            later.add(callback);
        } else {
            callback.accept(response);
        }
    }

    private RawClient ask(Server server, String target) throws IOException {
        RawClient client = RawClient.to(server.getAddress());
        clients.add(client);
        return client.get(target);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramMayHoldTheMonitorOfWhateverItKnows(ServerKind kind) throws Exception {
        var own = new Response(503, List.of(), "mine".getBytes(US_ASCII));
        ErrorHandler hook = error -> own;
        Options options = clock.in(TestServer.options()).withHandlerTimeout(Duration.ofMinutes(1))
                .withErrorHandler(hook).withMaxPendingRequests(100).withWatchdog(Duration.ofMillis(200));
        // not one whose methods take its own monitor, as the log of tests does
        Logger logger = (cause, entries) -> log.log(cause, entries);
        Handler handler = this::handle;
        Server server = kind.make(options, logger, handler, kind.loops);
        var thread = new Thread(server::start, "server");
        thread.start();
        for (int i = 0; i < kind.loops; i++) {
            ask(server, "/now").expectOk("\0\0\0\0");
        }
        RawClient answered = ask(server, "/later");
        Consumer<Response> first = later.take();
        RawClient timedOut = ask(server, "/later");
        Consumer<Response> second = later.take();
        RawClient dropped = ask(server, "/later");
        later.take();
        locks.addAll(List.of(options, logger, handler, hook, own, server,
                server.getAddress(), server.stats(), thread, EventLoop.class, EventLoopGroup.class));
        Thread holder = hold();
        first.accept(TestServer.ok("held"));
        answered.expectOk("held");
        dropped.reset();
        log.await("close");
        clock.pass(server, Duration.ofHours(1));
        assertEquals("mine", timedOut.response().text());
        second.accept(TestServer.ok("late"));
        log.await("response_late");
        serveOthers(server, kind);
        closeClients();
        CompletableFuture<Integer> left = CompletableFuture.supplyAsync(() -> server.stop(GRACE));
        for (EventLoop loop : Inside.loops(server)) {
            loop.ended().join();
        }
        // the start of a group also joins the threads of its loops, for which the JDK takes their monitors
        unlock.countDown();
        assertEquals(0, left.join());
        TestServer.join(holder);
        TestServer.join(thread);
    }

    private void serveOthers(Server server, ServerKind kind) throws IOException {
        long before = server.stats().requests();
        for (int i = 0; i < kind.loops; i++) {
            ask(server, "/now").expectOk("\0\0\0\0");
        }
        assertEquals(before + kind.loops, server.stats().requests());
    }

    /** Returns when another thread has the monitors of all. */
    private Thread hold() {
        var held = new CountDownLatch(1);
        var holder = new Thread(() -> lock(List.copyOf(locks).iterator(), held));
        holder.start();
        TestServer.await(held);
        return holder;
    }

    private void lock(Iterator<Object> rest, CountDownLatch held) {
        if (rest.hasNext()) {
            synchronized (rest.next()) {
                lock(rest, held);
            }
        } else {
            held.countDown();
            try {
                unlock.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
