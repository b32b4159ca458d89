package org.microhttp;

import java.util.List;
import org.microhttp.testing.RecordingLogger;

/** Reads what one client of a {@link StreamWorld} gets, and tells whole bodies from those that are cut. */
final class StreamReader {

    private final PlannedWorld world;
    private final Visitor visitor;

    /** Whose response is read, or comes next; null when all are read. */
    Visit at;

    /** The body so far. */
    final StringBuilder content = new StringBuilder();

    /** How much of that is what was signalled. */
    private int checked;

    /** What is not read yet. */
    private final StringBuilder rest = new StringBuilder();
    private String head;

    /** How many bytes are left of a chunk or a body; -1 between chunks, and where only the end tells. */
    private long left;
    private boolean chunked, failed;

    StreamReader(PlannedWorld world, Visitor visitor) {
        this.world = world;
        this.visitor = visitor;
        at = visitor.visits.get(0);
    }

    /** Whether a body is read to its end, of which that is stated before. */
    boolean isCounted() {
        return head != null && !chunked && left == 0;
    }

    /** Whether the last response that was begun is a failure's. */
    boolean isFailed() {
        return failed;
    }

    /** Whether the present response is begun. */
    boolean hasBegun() {
        return head != null;
    }

    /** Whether nothing of a chunk is missing. */
    boolean isBetween() {
        return rest.length() == 0 && (!chunked || left <= 0);
    }

    void take(String more) {
        rest.append(more);
        while (rest.length() > 0 && step()) {
            // until something is missing
        }
        checkContent();
    }

    private boolean step() {
        world.check(at != null, "something follows the last response: " + rest);
        if (head == null) return takeHead();
        if (chunked) return takeChunk();
        // only what follows shows that the publisher has ended, too
        if (left == 0) next();
        if (head == null) return true;
        move((int) (left < 0 ? rest.length() : Math.min(left, rest.length())));
        return true;
    }

    private void move(int count) {
        content.append(rest, 0, count);
        rest.delete(0, count);
        if (left > 0) left -= count;
    }

    private boolean takeHead() {
        int end = rest.indexOf("\r\n\r\n");
        if (end < 0) return false;
        head = rest.substring(0, end + 2);
        rest.delete(0, end + 4);
        failed = head.startsWith("HTTP/1.1 500 ") || world.isShort && head.startsWith("HTTP/1.1 503 ")
                || head.startsWith("HTTP/1.1 400 ") && isLogged("refuse");
        world.check(failed || at.isBegunBy(head), "is answered with " + head);
        boolean own = at.publisher == null || failed;
        boolean counted = head.contains("Content-Length: ");
        String length = counted ? head.replaceAll("(?s).*Content-Length: (\\d+)\r.*", "$1") : "-1";
        chunked = head.contains("Transfer-Encoding: chunked");
        world.check(!chunked || !at.http10, "HTTP/1.0 gets chunks");
        left = Long.parseLong(length);
        if (!own) {
            world.check(left == at.publisher.length(), "says that it has " + length + " bytes");
            boolean chunks = left < 0 && !at.toHead && !at.isUnframed();
            world.check(chunked == chunks, "is not framed as it should: " + head);
        } else {
            world.check(left >= 0, "has no length");
        }
        if (failed) {
            // it may have been silent for too long
            boolean silent = isGivenUp() && at.publisher.subscriptions == 1;
            world.check(world.isShort || at.mayFail() || silent, "is a failure without a reason");
        }
        if (at.toHead) next();
        if (chunked) left = -1;
        return true;
    }

    private boolean takeChunk() {
        if (left > 0) {
            move((int) Math.min(left, rest.length()));
            return true;
        }
        if (left == 0) {
            if (rest.length() < 2) return false;
            world.check(rest.substring(0, 2).equals("\r\n"), "a chunk ends with " + rest.substring(0, 2));
            rest.delete(0, 2);
            left = -1;
            return true;
        }
        int end = rest.indexOf("\r\n");
        if (end < 0) return false;
        String size = rest.substring(0, end);
        world.check(size.matches("[0-9a-f]+"), "a chunk begins with " + size);
        left = Long.parseLong(size, 16);
        if (left == 0) {
            if (rest.length() < end + 4) {
                left = -1;
                return false;
            }
            world.check(rest.substring(0, end + 4).equals("0\r\n\r\n"), "the last chunk is " + rest);
            rest.delete(0, end + 4);
            next();
        } else {
            rest.delete(0, end + 2);
        }
        return true;
    }

    private void checkContent() {
        if (at == null || head == null || at.publisher == null || failed) return;
        StringBuilder signalled = at.publisher.signalled;
        boolean same = content.length() <= signalled.length();
        for (; same && checked < content.length(); checked++) {
            same = content.charAt(checked) == signalled.charAt(checked);
        }
        if (!same) world.check(false, "gets another body: " + content);
    }

    /** The response is complete. */
    void next() {
        if (at.publisher != null && !failed && !at.toHead) {
            world.check(at.publisher.completed, "is complete, and its publisher has not ended");
            world.check(isAllSignalled(), "gets " + content + " as a whole");
            at.publisher.overwrite();
        }
        int index = at.index + 1;
        boolean last = at.closing || at.isUnframed() || index == visitor.visits.size();
        at = last ? null : visitor.visits.get(index);
        head = null;
        content.setLength(0);
        checked = 0;
        chunked = false;
        left = -1;
    }

    private boolean isAllSignalled() {
        return at.publisher.signalled.toString().contentEquals(content);
    }

    /** Nothing more comes. A client that has read all it could must have what there was, or see a cut. */
    void finish(boolean all) {
        boolean ended = visitor.client.isClosed() || visitor.client.channel.outputEnded;
        if (at != null && at.isUnframed() && head != null && !failed && ended && !visitor.reset) {
            boolean reset = visitor.client.channel.closesByReset;
            PlannedPublisher publisher = at.publisher;
            world.check(reset || publisher.completed, "sees a clean end of a body that is cut");
            if (publisher.completed && !reset) next();
        }
        if (isCounted() && (at.publisher == null || failed || at.publisher.completed)) next();
        boolean inside = at != null && at.publisher != null && head != null;
        if (!all || !inside || at.mayBeCut() || isLogged("socket_timeout")) return;
        boolean failedLater = at.publisher.failed && ended && !failed;
        if (failedLater) {
            world.check(isAllSignalled(), "is cut before the failure");
        }
        world.check(!at.publisher.completed || !ended, "is cut, and complete");
    }

    /** The connection is closed, for whatever reason. */
    void checkClosed() {
        boolean inside = at != null && at.isUnframed() && head != null && !failed && !visitor.reset;
        if (!inside || at.publisher.completed && isAllSignalled()) return;
        world.check(visitor.client.channel.closesByReset, "sees a clean end of a body that was not complete");
    }

    /** Whether its publisher was silent for too long, for a client that may read or has ended its side. */
    boolean isGivenUp() {
        return isLogged("body_error") || isLogged("socket_timeout");
    }

    boolean isLogged(String event) {
        return !logged(event).isEmpty();
    }

    List<RecordingLogger.Event> logged(String name) {
        return world.loop.log.events().stream().filter(event -> event.name().equals(name)
                && ("" + visitor.client.connection.socket.id).equals(event.value("id"))).toList();
    }

    /** The log has the end of each, with as many bytes as the socket took. */
    void checkLogged() {
        List<RecordingLogger.Event> ends = logged("exchange");
        if (at == null || head == null || at.index >= ends.size()) return;
        RecordingLogger.Event end = ends.get(at.index);
        String bytes = "" + content.length();
        world.check(end.value("bytes").equals(bytes), "is logged with " + end + " for " + bytes);
        // where no framing tells, the end may have come just before
        boolean whole = at.isUnframed() && at.publisher.completed && isAllSignalled();
        boolean cut = at.publisher != null && !failed && !whole;
        if (cut) world.check("incomplete".equals(end.value("code")), "is not logged as incomplete: " + end);
    }
}
