package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.microhttp.testing.*;

/** A turn that takes too long is told once, with where it is; anything else is not told. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchdogTest {

    private static Options watched(int millis) {
        return TestServer.options().withWatchdog(Duration.ofMillis(millis));
    }

    /** A clock that stands but for what a test lets pass: on a busy machine any turn may take long. */
    private final AtomicLong time = new AtomicLong();

    private Options standing(int millis) {
        return Inside.withClock(watched(millis), time::get, System::currentTimeMillis)
                .withResolution(Duration.ofSeconds(1));
    }

    private static List<Thread> dogs(TestServer server) {
        return TestServer.threads(server.thread.getName() + "-watchdog");
    }

    @Test
    void isNotThereUnlessItIsAskedFor() throws Exception {
        try (var server = new TestServer(TestServer::echoTarget)) {
            server.assertServes();
            assertEquals(List.of(), dogs(server));
        }
    }

    @Test
    void endsWithItsLoop() throws Exception {
        var server = new TestServer(watched(20), TestServer::echoTarget);
        server.assertServes();
        Thread dog = dogs(server).get(0);
        assertTrue(dog.isDaemon());
        server.stop();
        TestServer.join(dog);
    }

    @Test
    void endsWithALoopThatFails() throws Exception {
        var server = new TestServer(watched(20), TestServer::echoTarget);
        server.assertServes();
        Thread dog = dogs(server).get(0);
        Inside.of(server.loop, Selector.class).close();
        server.join();
        TestServer.join(dog);
    }

    /** An interrupt in the middle of a report would close the file that a logger writes it to. */
    @Test
    void endsAfterItsLoopWithoutAnInterruptIfALoggerTakesLong() throws Exception {
        var reported = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var interrupted = new AtomicBoolean();
        var server = new TestServer(watched(20), (request, callback) -> awaitLatch(reported));
        server.log.hook = event -> {
            if (!event.equals("loop_blocked")) return;
            reported.countDown();
            awaitUninterruptibly(ended);
            interrupted.set(Thread.interrupted());
        };
        server.connect().send(RawClient.GET);
        assertTrue(reported.await(30, TimeUnit.SECONDS));
        Thread dog = dogs(server).get(0);
        server.stop();
        ended.countDown();
        TestServer.join(dog);
        assertFalse(interrupted.get());
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isHeld(RecordingLogger.Event event) {
        return event.name().equals("loop_blocked") && Arrays.stream(event.cause().getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("holdTheLoop"));
    }

    /** The reports of this method; on a busy machine another turn may take long, too. */
    private static List<RecordingLogger.Event> held(RecordingLogger log) {
        return log.events().stream().filter(WatchdogTest::isHeld).toList();
    }

    /** Where the loop is while it is blocked. */
    private static void holdTheLoop(RecordingLogger log, int number) {
        for (int i = 1; held(log).size() < number; i++) {
            log.await("loop_blocked", i);
        }
        // many times the limit: enough for reports that should not come
        long end = System.nanoTime() + 200_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void tellsEachLongTurnOnceAndWhereItIs() throws Exception {
        var log = new RecordingLogger[1];
        var ready = new CountDownLatch(1);
        try (var server = new TestServer(watched(20), (request, callback) -> {
            awaitLatch(ready);
            holdTheLoop(log[0], Integer.parseInt(request.target().substring(1)));
            callback.accept(TestServer.ok("held"));
        })) {
            log[0] = server.log;
            ready.countDown();
            RawClient client = server.connect();
            for (int i = 1; i <= 3; i++) {
                client.get("/" + i).expectOk("held");
                assertEquals(i, held(server.log).size());
                var event = held(server.log).get(i - 1);
                assertTrue(Long.parseLong(event.value("millis")) >= 20, event::toString);
            }
        }
    }

    /** A turn that goes on with a batch calls a handler before anything is read or sent. */
    @Test
    void tellsALongTurnThatBeginsWithAHandler() throws Exception {
        var log = RecordingLogger.of("loop_blocked");
        try (var server = new TestServer(watched(20), log, (request, callback) -> {
            if (request.target().equals("/128")) {
                holdTheLoop(log, 1);
            }
            callback.accept(TestServer.ok(request.target()));
        })) {
            var batch = new StringBuilder();
            for (int i = 0; i < 130; i++) {
                batch.append("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            server.connect().send(batch.toString()).expectOks(130, i -> "/" + i);
            assertEquals(1, held(log).size());
        }
    }

    @Test
    void leavesALoopInPeaceThatWaits() throws Exception {
        try (var server = new TestServer(standing(20), TestServer::echoTarget)) {
            RawClient client = server.connect().get("/").expectOk("/");
            LoopClock clock = Inside.of(server.loop, LoopContext.class).clock;
            while (clock.turnBegan != LoopClock.NONE) {
                Thread.onSpinWait();
            }
            time.addAndGet(TimeUnit.SECONDS.toNanos(1));
            // the watchdog looks many times
            assertEquals("", client.readWithin(200));
            assertEquals(0, server.log.count("loop_blocked"));
        }
    }

    /** All together they take longer than the limit, but each of them is short; then one is long. */
    @Test
    void leavesALoopInPeaceWhoseTurnsAreShort() throws Exception {
        var log = RecordingLogger.of("loop_blocked");
        try (var server = new TestServer(standing(20), log, (request, callback) -> {
            boolean isLong = request.target().equals("/long");
            time.addAndGet(TimeUnit.MILLISECONDS.toNanos(isLong ? 20 : 15));
            if (isLong) log.await("loop_blocked");
            callback.accept(TestServer.ok(request.target()));
        })) {
            RawClient client = server.connect();
            long end = System.nanoTime() + 300_000_000L;
            while (System.nanoTime() - end < 0) {
                client.get("/").expectOk("/");
            }
            assertEquals(0, log.count("loop_blocked"));
            client.get("/long").expectOk("/long");
            assertEquals(1, log.count("loop_blocked"));
        }
    }

    @Test
    @SuppressWarnings("try")
    void watchesEveryLoopOfAGroup() throws Exception {
        var ready = new CountDownLatch(1);
        var log = new RecordingLogger[1];
        try (var server = new TestServer(ServerKind.GROUP, watched(20), (request, callback) -> {
            if (request.target().equals("/hold")) {
                awaitLatch(ready);
                holdTheLoop(log[0], 1);
            }
            TestServer.nameThread(request, callback);
        })) {
            log[0] = server.log;
            ready.countDown();
            var clients = new RawClient[] {server.connect(), server.connect(), server.connect()};
            for (RawClient client : clients) {
                client.get("/").response();
            }
            var dogs = TestServer.threads("microhttp-").stream()
                    .filter(t -> t.getName().endsWith("-watchdog")).toList();
            assertEquals(3, dogs.size());
            RawClient last = server.connectTo("microhttp-1");
            last.get("/hold");
            assertFalse(last.response().text().isEmpty());
            assertEquals(1, held(server.log).size());
            server.stop();
            dogs.forEach(TestServer::join);
        }
    }
}
