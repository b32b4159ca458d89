package org.microhttp.simulation;

import java.util.*;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.simulation.network.Call;
import org.microhttp.testing.LibraryAssertions;

/** The log of a world: its events must tell the same story. */
final class EventCheck implements Logger {

    /** What the events say of one connection. */
    private static final class Told {

        private SimulatedConnection life;
        private long read, written, requests, begun;
        private int exchanges;
        private boolean closed;
        private String refusal;

        /** The request lines that were read, of exchanges that are not told yet. */
        private final Queue<String> lines = new ArrayDeque<>();
    }

    /** Answers of a pipelined batch may be told of before it leaves. */
    private static final long WRITE_BUFFER = 64 * 1024;

    private final World world;
    private final boolean wanted;
    private final Map<String, Told> connections = new HashMap<>();

    /** How many exchanges were complete that ended in another protocol. */
    long upgrades;

    /** How often each event was told; of refusals, how often each code. */
    private final Map<String, Long> counts = new HashMap<>(), refusals = new HashMap<>();

    /** Whether an event was lost because the logger failed. */
    private boolean failed;

    EventCheck(World world) {
        this.world = world;
        wanted = world.conditions.logged();
    }

    @Override
    public boolean enabled() {
        return wanted;
    }

    @Override
    public void log(Exception e, LogEntry... entries) {
        log((Throwable) e, entries);
    }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        String event = value(entries, "event");
        if (world.story.told) world.story.tell(world.machine.now(), 0, "log " + Arrays.toString(entries));
        world.tally.count("event " + event);
        counts.merge(event, 1L, Long::sum);
        if (LibraryAssertions.isAssertion(cause)) {
            world.broken("an assertion of the library has failed: " + cause + " " + cause.getStackTrace()[0]);
        }
        String code = value(entries, "code");
        boolean refusal = code != null && !event.equals("exchange");
        if (refusal) refusals.merge(code, 1L, Long::sum);
        String id = value(entries, "id");
        if (id != null) {
            Told told = connections.computeIfAbsent(id, i -> new Told());
            if (refusal) told.refusal = code;
            note(event, told, entries);
            if (event.equals("handler_error")) world.failures.onLogged(told.life, cause, entries);
        }
        try {
            world.faults.strike(Call.LOG, null);
        } catch (Error e) {
            failed = true;
            throw e;
        }
    }

    private void note(String event, Told told, LogEntry... entries) {
        boolean late = event.equals("response_ignored") || event.equals("response_late")
                || event.equals("handler_error")
                || event.equals("accept_error") || event.equals("publisher_error");
        String peer = value(entries, "peer");
        if (peer != null && told.life != null) checkPeer(told.life, event, peer);
        if (told.closed && !late) world.broken(told.life, event + " behind the close in the log");
        switch (event) {
            case "accept" -> accepted(told, value(entries, "remote_address"));
            case "read_bytes" -> told.read += Long.parseLong(value(entries, "num_bytes"));
            case "write" -> told.written += Long.parseLong(value(entries, "num_bytes"));
            case "read_request" -> {
                told.requests++;
                told.lines.add(value(entries, "request"));
            }
            case "exchange" -> exchange(told, entries);
            case "close" -> told.closed = true;
            default -> { }
        }
    }

    private void accepted(Told told, String address) {
        told.life = world.callers.accepted(address);
        if (told.life == null) {
            world.broken("accepted is nobody: " + address);
        } else {
            told.life.brokenIf(told.life.stranger, "a stranger is told of as accepted");
        }
    }

    /** Of requests it is the client that was told of; before that, who has connected. */
    private void checkPeer(SimulatedConnection life, String event, String peer) {
        boolean greeted = life.plan.isGreeted(life.read);
        boolean told = greeted && peer.equals(life.client().toString());
        // what was read may not be looked at any more
        boolean unseen = !greeted || life.promises.handed == 0
                && (world.isEnding() || life.promises.everStruck || world.faults.clockEverStruck);
        if (told || unseen && peer.equals(life.seen().toString())) return;
        life.broken(event + " of " + peer + ", not of " + life.client());
    }

    /** In the order of the requests, each once; of what was not read whole at most one, the last. */
    private void exchange(Told told, LogEntry... entries) {
        told.exchanges++;
        long nanos = Long.parseLong(value(entries, "nanos"));
        boolean wrong = nanos < 0;
        String line = told.lines.poll();
        if (line == null) {
            told.begun++;
        } else if (value(entries, "method") != null) {
            wrong |= !line.equals(value(entries, "method") + " " + value(entries, "target") + " "
                    + value(entries, "version"));
        }
        boolean answered = value(entries, "status") != null;
        boolean upgrade = "101".equals(value(entries, "status")) && value(entries, "code") == null;
        if (upgrade) upgrades++;
        wrong |= !answered && !value(entries, "bytes").equals("0");
        // where the clock fails, none is told of
        if (failed || world.faults.clockEverStruck) return;
        SimulatedConnection life = told.life;
        boolean known = life != null && !life.promises.everStruck && !life.promises.isVague() && answered;
        long bytes = Long.parseLong(value(entries, "bytes"));
        wrong |= known && !life.promises.isToldOf(told.exchanges - 1, bytes, WRITE_BUFFER);
        if (wrong || told.begun > 1) {
            world.broken(told.life, "a wrong exchange: " + Arrays.toString(entries) + " for " + line);
        }
    }

    long count(String event) {
        return counts.getOrDefault(event, 0L);
    }

    Map<String, Long> refusals() {
        return refusals;
    }

    static String value(LogEntry[] entries, String key) {
        for (LogEntry entry : entries) {
            if (entry.key().equals(key)) return entry.value();
        }
        return null;
    }

    /** At the end. */
    void check() {
        if (!wanted || failed || world.faults.clockEverStruck) return;
        world.failures.check();
        for (Told told : connections.values()) {
            SimulatedConnection life = told.life;
            if (life == null || life.promises.everStruck) continue;
            boolean kept = life.reasons.isEmpty() || life.reasons.contains(told.refusal);
            if (!kept) life.broken("refused as " + told.refusal + ", not as " + life.reasons);
            if (!told.lines.isEmpty()) life.broken(told.lines + " without an exchange");
            boolean same = told.closed && told.read == life.read && told.written == life.written
                    && told.requests == life.promises.handed;
            // who is turned away is only known by a response, which a reset may have kept from being written
            boolean unseen = life.promises.wasBlocked
                    || world.conditions.limitsPending() && life.promises.failed;
            if (!same && !unseen) {
                life.broken("the log tells another story: closed " + told.closed + ", read " + told.read
                        + ", written " + told.written + ", requests " + told.requests);
            }
        }
    }
}
