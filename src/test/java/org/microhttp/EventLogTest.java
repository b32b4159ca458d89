package org.microhttp;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.Event.*;

import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;
import org.microhttp.protocol.RequestHead;
import org.microhttp.testing.*;

/** An event that a logger does not want is not built, and each is asked for by its own name. */
class EventLogTest {

    private final Logger logger = Logger.getLogger("org.microhttp.EventLogTest");
    private final SystemLogger system = new SystemLogger(System.getLogger(logger.getName()));

    @AfterEach
    void restore() {
        logger.setLevel(null);
    }

    /** Fails if it is given an event that it does not want; keeps what it was asked and given. */
    private static final class Choosing implements org.microhttp.Logger {

        final Set<String> asked = ConcurrentHashMap.newKeySet();
        final Set<String> given = ConcurrentHashMap.newKeySet();

        @Override
        public boolean enabled() {
            throw new AssertionError("asked for all");
        }

        @Override
        public boolean enabled(String event) {
            asked.add(event);
            return event.equals("read_request");
        }

        @Override
        public void log(Exception e, LogEntry... entries) {
            given.add(entries[0].value());
        }
    }

    @Test
    void asksForEachEventByItsName() throws Exception {
        var choosing = new Choosing();
        try (var server = new TestServer(TestServer.options(), choosing, TestServer::echoTarget)) {
            server.connect().get("/a").expectOk("/a");
        }
        assertEquals(Set.of("read_request"), choosing.given);
        assertTrue(choosing.asked.containsAll(List.of("listen", "accept", "read_bytes", "read_request",
                "response_ready", "write_response", "write", "close")), choosing.asked::toString);
    }

    @Test
    void theSystemsLoggerWantsWhatItWouldPrint() {
        logger.setLevel(Level.INFO);
        assertTrue(system.enabled("handler_error"));
        assertTrue(system.enabled("connection_error"));
        assertFalse(system.enabled("read_bytes"));
        assertFalse(system.enabled("refuse"));
        logger.setLevel(Level.FINE);
        assertTrue(system.enabled("read_bytes"));
        logger.setLevel(Level.SEVERE);
        assertFalse(system.enabled("handler_error"));
        assertFalse(system.enabled());
    }

    /** Each event that has a cause of the program or the machine, or reports a failure of the handler. */
    @Test
    void eachFailureThatIsNotTheClientsIsAWarning() {
        Set<Event> failures = EnumSet.of(ACCEPT_ERROR, TURN_ERROR, LOOP_ERROR, LOOP_INTERRUPT,
                LEAVE_TIMEOUT, LOOP_BLOCKED, HANDLER_ERROR, BODY_ERROR, PUBLISHER_ERROR,
                RESPONSE_READY_ERROR, RESPONSE_IGNORED, CONNECTION_ERROR, Event.of(Refusal.HANDLER_TIMEOUT));
        logger.setLevel(Level.WARNING);
        for (Event event : Event.values()) {
            assertEquals(failures.contains(event), system.enabled(event.text), event.text);
        }
        assertFalse(system.enabled("event_of_a_program"));
    }

    /** With its cause, or without one, and an error as itself. */
    @Test
    void givesEachEventByOneMethod() {
        var given = new ArrayList<Throwable>();
        var log = new EventLog(new Whole() {
            @Override
            public void log(Throwable cause, LogEntry... entries) {
                given.add(cause);
            }
        });
        var cause = new StackOverflowError();
        log.report(LISTEN, "address");
        log.report(CLOSE, 0, null);
        log.report(READ_ERROR, 0, cause);
        log.report(HANDLER_ERROR, 0, "peer", "GET", "/", cause);
        assertEquals(Arrays.asList(null, null, cause, cause), given);
    }

    /** A logger that takes each event by one method, and by no other. */
    private abstract static class Whole implements org.microhttp.Logger {

        @Override
        public void log(LogEntry... entries) {
            fail("called by the library");
        }

        @Override
        public void log(Exception e, LogEntry... entries) {
            fail("called by the library");
        }
    }

    /** Each has the value of its last key, or a cause. */
    @Test
    void givesTheEntriesOfAnEventInTheOrderOfItsKeys() {
        var recording = new RecordingLogger();
        var log = new EventLog(recording);
        log.report(ACCEPT, 7, "client");
        log.report(WRITE, 8, 9);
        log.report(LOOP_BLOCKED, 10, new IllegalStateException("on purpose"));
        log.report(SOCKET_TIMEOUT, 11, null);
        List<String> given = recording.events().stream().map(event -> event.name() + event.values()).toList();
        assertEquals(List.of("accept{id=7, remote_address=client}", "write{id=8, num_bytes=9}",
                "loop_blocked{millis=10}", "socket_timeout{id=11}"), given);
        assertEquals("on purpose", recording.events().get(2).cause().getMessage());
    }

    /** The refusals are given to the log directly, so that the test need not wait for a timeout. */
    @Test
    void eachStatusIsANumber() throws Exception {
        RecordingLogger recording;
        Response missing = new Response(404, "Not Found 200", List.of(), new byte[1]);
        try (var server = new TestServer((request, callback) -> {
            if (request.target().equals("/throw")) throw new IllegalStateException("on purpose");
            callback.accept(request.target().equals("/null") ? null : missing);
        })) {
            recording = server.log;
            RawClient client = server.connect().get("/").get("/null").get("/throw").send("wrong\r\n");
            client.readToEnd();
            client.close();
            server.awaitEvent("close");
        }
        var log = new EventLog(recording);
        for (Refusal refusal : Refusal.values()) {
            log.refused(1, null, RequestHead.NONE, new RefusalException(refusal, 1));
        }
        Map<String, Set<String>> values = new TreeMap<>();
        for (RecordingLogger.Event event : recording.events()) {
            if (!event.values().containsKey("status")) continue;
            values.computeIfAbsent(event.name(), name -> new TreeSet<>()).add(event.value("status"));
        }
        Set<String> documented = Readme.table("event").stream().filter(row -> row.get(1).contains("status"))
                .map(row -> row.get(0)).collect(toSet());
        assertEquals(documented, values.keySet());
        values.forEach((event, all) -> all.forEach(status ->
                assertTrue(status.matches("[2-5][0-9]{2}"), event + " has the status " + status)));
        assertEquals(Set.of("400", "404", "500"), values.get("write_response"));
    }

    /** 1,199 bytes a request before nothing was built in vain. */
    @Test
    void aRequestCostsNoMoreThanWithoutALoggerWhenNothingIsPrinted() throws Exception {
        logger.setLevel(Level.INFO);
        long silent = allocated(new NoopLogger());
        long system = allocated(this.system);
        assertTrue(system <= silent + 40, system + " bytes a request, " + silent + " without a logger");
    }

    private static long allocated(org.microhttp.Logger logger) throws Exception {
        var bean = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        try (var server = new TestServer(TestServer.options(), logger, TestServer::echoTarget)) {
            RawClient client = server.connect();
            requests(client, 200);
            long before = bean.getThreadAllocatedBytes(server.thread.getId());
            requests(client, 500);
            return (bean.getThreadAllocatedBytes(server.thread.getId()) - before) / 500;
        }
    }

    private static void requests(RawClient client, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            client.get("/a").expectOk("/a");
        }
    }

    /** Escaping 32 KiB of backslashes by a format took ten times as long as joining as many pieces. */
    @Test
    void escapingTakesNoTime() {
        String target = "\\".repeat(32 * 1024);
        var escaped = new StringBuilder();
        var entry = new LogEntry("target", target);
        DebugLogger.append(escaped, entry);
        assertEquals(" target=" + "\\u005c".repeat(32 * 1024), escaped.toString());
        long best = Long.MAX_VALUE;
        long bestOfPieces = Long.MAX_VALUE;
        for (int i = 0; i < 200; i++) {
            long began = System.nanoTime();
            DebugLogger.append(new StringBuilder(), entry);
            long between = System.nanoTime();
            joinPieces(target);
            best = Math.min(best, between - began);
            bestOfPieces = Math.min(bestOfPieces, System.nanoTime() - between);
        }
        assertTrue(best < 4 * bestOfPieces, best + " ns, pieces " + bestOfPieces + " ns");
    }

    /** A number and a text for each character, which is about what an escape is made of. */
    private static void joinPieces(String text) {
        var joined = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            joined.append(Integer.toString(text.charAt(i)).substring(1)).append("\\u005c");
        }
        assertEquals(7 * text.length(), joined.length());
    }
}
