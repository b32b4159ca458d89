package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads what the server writes on one connection, as it does, and holds it to what was planned. */
final class AnswerReader {

    /** What the next answer must be. */
    interface Judge {

        /** The first byte of an answer. */
        void onBegin();

        /** An answer's head is whole. The request whose reply it is; null if the server itself answers. */
        HandledRequest onHead(AnswerHead answer);

        /** Whether it has no body. */
        boolean isBare(AnswerHead answer);

        /** Whether it may have one though it is to a HEAD, which the server could not know. */
        boolean isVague(AnswerHead answer);

        /** All of it was written; its text, if it is the server's own. */
        void onEnd(AnswerHead answer, String text);
    }

    private static final int LONGEST_HEAD = 4096;

    private final Judge judge;
    private byte[] head = new byte[256];
    private int headLength;
    private AnswerHead answer;
    private Content content;
    /** Signals the body; null if it is in memory or in a file. */
    private StreamedBody stream;
    private Chunks chunks;
    private boolean afterStream;
    private StringBuilder text;
    private long bodyAt;
    private long bodyLeft;

    /** How long the bodies of the answers are that are whole; -1 where that need not be known. */
    private long[] bodies = new long[4];
    private int whole;

    /** How much may follow of a body that need not be there. */
    private long optional;

    AnswerReader(Judge judge) {
        this.judge = judge;
    }

    /** Whether nothing of an answer was written whose rest is still to come. */
    boolean isBetween() {
        if (answer == null) return headLength == 0;
        return stream != null && !stream.isEndTaken() && isSent(stream.taken());
    }

    /** Whether so much of a streamed body is sent, and nothing of a chunk is missing. */
    boolean isSent(long bytes) {
        return stream != null && bodyAt == bytes && (chunks == null || chunks.isBetween());
    }

    /** Whether some was sent of an answer that only the end of the connection ends, and not all. */
    boolean isUnframed() {
        return stream != null && stream.isUnframed();
    }

    /** Whether the last answer was streamed. */
    boolean isAfterStream() {
        return answer == null && headLength == 0 && afterStream;
    }

    /** Ends an answer without chunks whose publisher has ended: the server acts as if it were over. */
    void settle() {
        boolean over = stream != null && chunks == null && stream.isCompleted() && isSent(stream.signalled());
        if (over) finish();
    }

    /** Takes so many bytes, and moves behind them. */
    void take(ByteBuffer source, int count) {
        int end = source.position() + count;
        while (source.position() < end) {
            if (optional > 0) {
                source.get();
                optional--;
            } else if (answer == null) {
                takeHead(source, end);
            } else {
                int most = Math.min(end - source.position(), Content.inARow(bodyAt));
                takeBody(source, (int) Math.min(bodyLeft, most));
            }
            if (answer != null && bodyLeft == 0 && stream == null) finish();
        }
        if (stream != null && stream.isEndTaken()) settle();
    }

    private void takeHead(ByteBuffer source, int end) {
        while (source.position() < end && answer == null) {
            if (headLength == head.length) head = Arrays.copyOf(head, 2 * headLength);
            if (headLength > LONGEST_HEAD) throw new Broken("a head without an end");
            if (headLength == 0) judge.onBegin();
            byte value = source.get();
            head[headLength++] = value;
            boolean over = value == '\n' && headLength > 3 && head[headLength - 2] == '\r'
                    && head[headLength - 3] == '\n' && head[headLength - 4] == '\r';
            if (over) begin();
        }
    }

    private void begin() {
        answer = AnswerHead.parse(head, headLength);
        headLength = 0;
        HandledRequest asked = judge.onHead(answer);
        content = asked == null ? null : asked.reply.content();
        stream = asked == null ? null : asked.stream();
        chunks = stream != null && stream.isChunked() ? new Chunks() : null;
        text = asked == null ? new StringBuilder() : null;
        bodyAt = 0;
        boolean endless = stream != null && stream.stated < 0;
        bodyLeft = judge.isBare(answer) ? 0 : endless ? Long.MAX_VALUE : answer.length();
        optional = bodyLeft == 0 && judge.isVague(answer) ? answer.length() : 0;
        if (bodyLeft < 0) throw new Broken("a body without a length");
    }

    private void takeBody(ByteBuffer source, int most) {
        if (stream != null && most == 0) {
            if (!stream.isCompleted()) throw new Broken("goes on before the publisher has ended");
            settle();
            return;
        }
        if (chunks != null && chunks.takeLine(source)) {
            if (chunks.isOver()) finishChunks();
            return;
        }
        int count = chunks == null ? most : chunks.take(most);
        boolean more = stream != null && bodyAt + count > stream.signalled();
        if (more) throw new Broken("more than was signalled");
        if (content == null) {
            for (int i = 0; i < count; i++) {
                text.append((char) source.get());
            }
        } else {
            ByteBuffer piece = source.slice(source.position(), count);
            int at = content.at(bodyAt);
            boolean same = piece.mismatch(ByteBuffer.wrap(Content.NOISE, at, count)) < 0;
            if (!same) throw new Broken("another body");
            source.position(source.position() + count);
        }
        bodyAt += count;
        bodyLeft -= count;
        if (stream != null) stream.onSent(bodyAt);
    }

    private void finishChunks() {
        boolean whole = stream.isCompleted() && bodyAt == stream.signalled();
        if (!whole) throw new Broken("a last chunk before the end");
        finish();
    }

    private void finish() {
        AnswerHead ended = answer;
        answer = null;
        afterStream = stream != null;
        stream = null;
        if (!ended.isInterim()) {
            if (whole == bodies.length) bodies = Arrays.copyOf(bodies, 2 * whole);
            bodies[whole++] = optional > 0 ? -1 : bodyAt;
        }
        judge.onEnd(ended, text == null ? "" : text.toString());
    }

    /**
     * Whether so much may be told of the body of an answer: what was written of it; or all, if that is no
     * more than may wait to be written with what comes next.
     */
    boolean isWritten(int index, long bytes, long most) {
        if (index < whole) return bytes == bodies[index] || bodies[index] < 0;
        if (index > whole || answer == null) return bytes <= most;
        return bytes == bodyAt || bytes == bodyAt + bodyLeft && bytes <= most;
    }
}
