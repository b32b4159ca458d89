package org.microhttp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.*;

/** One client of an {@link UploadWorld}: sends its requests by the byte, and judges each response. */
final class UploadClient {

    /** How much the server reads at once of what is not requested. */
    private static final int FIRST_BYTES = 16;

    private final UploadWorld world;
    final int number;
    final ScriptedLoop.Client client;
    final List<Upload> uploads = new ArrayList<>();

    /** Where each request begins in all that is sent. */
    final long[] starts;
    private final String wire;
    private int sent;

    /** When it sent something for the last time, and when each request began to be sent. */
    private long lastSent;
    private final long[] begun;
    boolean gone, reset;
    private long goneAt;

    /** Whether it has not read at once what it was sent. */
    private boolean slow;

    /** Whose response comes next, and whether it has had a 100; what is not read yet. */
    private int at;
    private boolean interim;
    private final StringBuilder rest = new StringBuilder();

    /** Whether the last response said that it is the last. */
    private boolean closed;

    /** After what nothing is requested, since when, and how much was read then. */
    private String idle = "";
    private long idleSince, idleRead, lastRead, lastReadAt;

    UploadClient(UploadWorld world, int number, boolean proxied) throws IOException {
        this.world = world;
        this.number = number;
        client = world.loop.connect();
        var all = new StringBuilder(proxied ? "PROXY TCP4 192.0.2.1 192.0.2.2 1000 80\r\n" : "");
        starts = new long[1 + world.random.nextInt(4)];
        begun = new long[starts.length];
        for (int i = 0; i < starts.length; i++) {
            var upload = new Upload(world, this, i, world.random);
            uploads.add(upload);
            starts[i] = all.length();
            all.append(upload.wire);
        }
        wire = all.toString();
    }

    private boolean isOpen() {
        return !client.isClosed() && !client.channel.outputEnded;
    }

    /** The request that is answered next; null after the last. */
    private Upload current() {
        return closed || at == uploads.size() ? null : uploads.get(at);
    }

    boolean isOver() {
        return current() == null || client.isClosed() || gone;
    }

    void send(int most) {
        int count = Math.min(most, wire.length() - sent);
        if (count == 0 || gone) return;
        for (int i = 0; i < starts.length; i++) {
            // a proxy's header belongs to the first
            long start = i == 0 ? 0 : starts[i];
            if (start >= sent && start < sent + count) begun[i] = world.now();
        }
        client.channel.send(wire.substring(sent, sent + count));
        sent += count;
        lastSent = world.now();
        readOn();
    }

    /** From now on it reads so much. */
    void take(int count) {
        slow |= count < Integer.MAX_VALUE;
        client.channel.room = count;
        readOn();
    }

    /** How much is to be sent up to the end of a head, or of a request. */
    int toBoundary() {
        for (Upload upload : uploads) {
            long end = starts[upload.index] + upload.headEnd;
            if (end > sent) return (int) end - sent;
            end = starts[upload.index] + upload.wire.length();
            if (end > sent) return (int) end - sent;
        }
        return 0;
    }

    /** Has the server read what is here, and send, as far as it wants to. */
    void readOn() {
        for (int i = 0; i < 10_000 && (client.turnToRead() || client.turnToWrite()); i++) {
            if (client.channel.outputEnded) client.channel.end();
        }
        look();
    }

    void leave() {
        if (gone) return;
        gone = true;
        goneAt = world.now();
        reset = world.random.nextBoolean();
        if (reset) {
            client.channel.reset();
        } else {
            client.channel.end();
        }
        readOn();
    }

    void look() {
        rest.append(client.channel.takeReceived());
        while (step()) {
            // until something is missing
        }
    }

    private boolean step() {
        int end = rest.indexOf("\r\n\r\n");
        if (end < 0) return false;
        String head = rest.substring(0, end + 2);
        int status = Integer.parseInt(head.substring(9, 12));
        Upload upload = current();
        world.check(upload != null, "something follows the last response: " + rest);
        if (status == 100) {
            rest.delete(0, end + 4);
            boolean wanted = upload.expects && !upload.http10 && upload.hasBody() && !interim;
            world.check(wanted, "a 100 that is not due: " + upload);
            // while all places are taken nobody is asked, and some of the body is kept
            boolean kept = upload.receiver == null || world.limitsPlaces();
            boolean requested = kept || upload.receiver.hasRequested();
            world.check(requested, "a 100, and nothing was requested: " + upload);
            interim = true;
            return true;
        }
        int length = Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+)\r.*", "$1"));
        if (rest.length() < end + 4 + length) return false;
        String text = rest.substring(end + 4, end + 4 + length);
        rest.delete(0, end + 4 + length);
        closed = head.contains("Connection: close");
        judge(upload, status, text);
        world.check(closed || !upload.closing, "does not say that it is the last: " + upload);
        at++;
        interim = false;
        return true;
    }

    private void judge(Upload upload, int status, String text) {
        String code = text.replaceAll("(?s):.*", "");
        PlannedReceiver receiver = upload.receiver;
        boolean received = receiver == null || receiver.completed;
        boolean subscribed = receiver != null && receiver.isSubscribed();
        Options limits = world.options;
        boolean large = upload.wire.length() > limits.maxRequestSize();
        boolean due = switch (status) {
            case 200 -> text.equals(upload + "") && upload.answered && received;
            case 403 -> closed && upload.answered && receiver.cancelled;
            case 500 -> closed && receiver != null && (receiver.threw || receiver.mistaken);
            case 400 -> closed && (code.equals("truncated") ? gone && !reset : upload.wrong);
            case 413 -> closed && (code.equals("stream_too_large")
                    ? upload.wire.length() > limits.maxStreamedSize() && (receiver != null || large)
                    : code.equals("request_too_large") && large && !subscribed);
            case 408 -> closed && upload.handled == 0 && isLate(upload, code);
            case 503 -> code.equals("overload") ? world.limitsPlaces() && upload.handled == 0
                    && (upload.asked == 0 || receiver == null) : closed && isHandlerLate(upload);
            default -> false;
        };
        world.check(due, "is answered with " + status + " " + text + ": " + upload);
        boolean silent = receiver != null && receiver.isSubscribed() && !receiver.isOver();
        world.check(!silent, "is answered, and its receiver has no end: " + upload);
    }

    /** Whether the client has sent too little, as far as it has read at once what it was sent. */
    private boolean isLate(Upload upload, String code) {
        PlannedReceiver receiver = upload.receiver;
        if (code.equals("request_timeout") && receiver != null && receiver.isSubscribed()) {
            return receiver.waited() >= world.options.requestTimeout().toNanos();
        }
        if (slow) return true;
        boolean missing = sent < starts[at] + upload.wire.length();
        Options limits = world.options;
        return missing && (code.equals("socket_timeout")
                ? world.now() - lastSent >= limits.socketTimeout().toNanos()
                : world.now() - begun[at] >= limits.requestTimeout().toNanos());
    }

    private boolean isHandlerLate(Upload upload) {
        boolean silent = upload.handled == 0 && upload.receiver != null && upload.receiver.failed;
        return silent || upload.handled == 1;
    }

    /** What must be so whenever the loop has nothing to do. */
    void check() {
        look();
        Upload upload = current();
        PlannedReceiver receiver = upload == null ? null : upload.receiver;
        if (receiver == null || !receiver.isSubscribed() || !isOpen()) {
            idle = "";
            return;
        }
        if (gone) {
            boolean watched = receiver.demand() > 0 || !client.connection.parser.hasBody();
            boolean late = watched && world.now() - goneAt > PlannedWorld.SLACK;
            world.check(!reset || !late || receiver.isOver(), "a reset is not noticed: " + upload);
            world.check(reset || receiver.demand() == 0, "the client's end is not noticed: " + upload);
            return;
        }
        if (receiver.completed || receiver.cancelled) {
            boolean refused = client.connection.state == ConnectionState.ENDING;
            boolean handled = upload.handled == 1 || receiver.threw || refused;
            world.check(handled, "is over, and not handled: " + upload);
        }
        if (!receiver.isOver()) checkIdle(upload, receiver);
        if (receiver.demand() > 0) {
            boolean all = receiver.content.length() == upload.bodyRead();
            world.check(all, "something was read, and is not passed on: " + upload);
            boolean reads = (client.interest() & SelectionKey.OP_READ) != 0;
            world.check(reads, "something is requested, and not read: " + upload);
            boolean headOnly = sent == starts[at] + upload.headEnd && !client.isWriting();
            boolean waits = headOnly && upload.expects && !upload.http10;
            world.check(!waits || interim, "waits for a 100: " + upload);
            long silence = world.now() - Math.max(lastSent, receiver.last());
            // one that reads is not silent
            world.check(slow || silence <= world.options.socketTimeout().toNanos() + PlannedWorld.SLACK,
                    "a client is silent for too long: " + upload);
        }
        long least = world.loop.context.limits.minReceived;
        boolean little = upload.wire.length() < least && receiver.demand() > 0;
        boolean late = receiver.waited() > world.options.requestTimeout().toNanos() + PlannedWorld.SLACK;
        world.check(!little || !late, "a client takes too long: " + upload);
        world.check(receiver.silence() <= world.options.handlerTimeout().toNanos() + PlannedWorld.SLACK,
                "a receiver is silent for too long: " + upload);
    }

    /** While nothing is requested, nothing is read but the first bytes, to notice the end. */
    private void checkIdle(Upload upload, PlannedReceiver receiver) {
        long read = client.channel.read;
        String after = receiver.demand() == 0 ? receiver.lists() + " lists of " + upload : "";
        if (!after.equals(idle)) {
            idle = after;
            idleSince = world.now();
            idleRead = read;
        }
        boolean whole = receiver.content.length() == upload.body.length() && !upload.wrong
                && sent >= starts[at] + upload.wire.length();
        if (read > lastRead) lastReadAt = world.now();
        lastRead = read;
        long waited = world.now() - Math.max(Math.max(lastSent, idleSince), lastReadAt);
        boolean late = !idle.isEmpty() && whole && waited > PlannedWorld.SLACK;
        world.check(!late, "has all, and does not end: " + upload);
        boolean reads = !idle.isEmpty() && read - idleRead > 2 * FIRST_BYTES;
        world.check(!reads, "reads, and nothing is requested: " + upload);
    }

    /** The loop ends, and says how many requests it drops; that calls no program. */
    void end() {
        long asked = uploads.stream().mapToInt(upload -> upload.asked).sum();
        if (world.loop.context.end.stopped) client.connection.countDropped();
        world.check(asked == uploads.stream().mapToInt(upload -> upload.asked).sum(), "asks as it ends");
        client.connection.free();
    }

    /** The connection has ended. */
    void checkEnd() {
        look();
        for (Upload upload : uploads) {
            if (upload.receiver == null) continue;
            upload.receiver.checkEnd();
            boolean handled = upload.receiver.failed || upload.receiver.threw;
            world.check(!handled || upload.handled == 0 || upload.receiver.completed,
                    "is handled after its receiver failed: " + upload);
        }
    }
}
