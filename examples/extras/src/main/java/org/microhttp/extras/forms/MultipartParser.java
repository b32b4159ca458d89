package org.microhttp.extras.forms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.microhttp.extras.routing.RequestException;

/**
 * Takes a multipart body apart as it comes, wherever it is cut (RFC 2046 §5.1.1). It keeps the lines of one
 * part, never content, and looks at each byte once:
 * <pre>
 *   PREAMBLE --delimiter--&gt; AFTER --CRLF--&gt; HEAD --empty line--&gt; CONTENT --delimiter--&gt; AFTER
 *                             |
 *                             +--"--"--&gt; EPILOGUE
 * </pre>
 * The delimiter is CRLF, two dashes and the boundary. No boundary has a CR, so where a match fails, only the
 * byte that failed may begin another; and what had matched is known, so it need not be kept. For one thread
 * at a time.
 */
public final class MultipartParser {

    /** What it finds, in this order for each part: one head, any number of pieces of content, one end. */
    public interface Parts {

        /**
         * Begins a part, whose head is complete.
         *
         * @param lines of the head, with the empty one
         * @throws IOException if it cannot be kept
         * @throws RequestException if it is not taken
         */
        void begin(byte[] lines) throws IOException;

        /**
         * Adds a piece of the content of the part.
         *
         * @param content to be read before this returns
         * @throws IOException if it cannot be kept
         * @throws RequestException if it is not taken
         */
        void add(ByteBuffer content) throws IOException;

        /**
         * Says that the part is complete.
         *
         * @throws IOException if it cannot be kept
         * @throws RequestException if it is not taken
         */
        void end() throws IOException;
    }

    /** What comes next. AFTER_DASH is in the middle of what ends the body, AFTER_CR in that of a line end. */
    private enum State { PREAMBLE, AFTER, AFTER_DASH, AFTER_CR, HEAD, CONTENT, EPILOGUE }

    private static final String UNFINISHED = "the body is no multipart body: ";

    private final byte[] delimiter;
    private final int maxHead;
    private final Parts parts;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private State state = State.PREAMBLE;

    /** How much of the delimiter was found; the first may be without its CRLF. */
    private int matched = "\r\n".length();

    /** How long the present line of the head is, and the padding after the present delimiter. */
    private int lineLength;
    private int padding;
    private byte last;

    /**
     * Makes one.
     *
     * @param boundary a boundary by its grammar, as the type of the body has it; so it has no CR
     * @param maxHead  how many bytes the lines of a part may have
     * @param parts gets what is found
     */
    public MultipartParser(String boundary, int maxHead, Parts parts) {
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        this.maxHead = maxHead;
        this.parts = parts;
    }

    /**
     * Takes what has come; the buffer has nothing remaining then.
     *
     * @param bytes the next ones
     * @throws RequestException if it is no multipart body; use it no more then
     * @throws IOException if a part cannot be kept
     */
    public void parse(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            parseNext(bytes);
        }
    }

    /**
     * Takes one or more of the next bytes, of which there must be some. It begins or ends at most one part,
     * and adds at most two pieces of content before the end.
     */
    void parseNext(ByteBuffer bytes) throws IOException {
        switch (state) {
            case PREAMBLE, CONTENT -> readContent(bytes);
            case AFTER -> readAfter(bytes.get());
            case AFTER_DASH -> {
                FormRefusal.check(bytes.get() == '-', UNFINISHED + "one dash after a boundary");
                state = State.EPILOGUE;
            }
            case AFTER_CR -> {
                FormRefusal.check(bytes.get() == '\n', UNFINISHED + "CR without LF after a boundary");
                state = State.HEAD;
            }
            case HEAD -> readHead(bytes.get());
            // to be ignored
            case EPILOGUE -> bytes.position(bytes.limit());
        }
    }

    /**
     * Says that all has come.
     *
     * @throws RequestException if the end is missing
     */
    public void end() {
        FormRefusal.check(state == State.EPILOGUE, UNFINISHED + "it does not end with its boundary");
    }

    /** Reads up to the end of the buffer, or of the delimiter. */
    private void readContent(ByteBuffer bytes) throws IOException {
        int begin = bytes.position();
        // bytes of the delimiter that earlier buffers ended with
        int before = matched;
        while (bytes.hasRemaining() && matched < delimiter.length) {
            byte next = bytes.get();
            if (next == delimiter[matched]) {
                matched++;
            } else {
                if (before > 0) {
                    add(ByteBuffer.wrap(delimiter, 0, before));
                    before = 0;
                }
                matched = next == delimiter[0] ? 1 : 0;
            }
        }
        // what of the match is in this buffer is no content, or not yet
        int end = bytes.position() - (matched - before);
        if (end > begin) {
            add(bytes.slice(begin, end - begin));
        }
        if (matched == delimiter.length) {
            endContent();
        }
    }

    private void add(ByteBuffer content) throws IOException {
        if (state == State.CONTENT) {
            parts.add(content);
        }
    }

    private void endContent() throws IOException {
        if (state == State.CONTENT) {
            parts.end();
        }
        state = State.AFTER;
        matched = 0;
        padding = 0;
    }

    // delimiter transport-padding CRLF, or "--" (RFC 2046 §5.1.1)
    private void readAfter(byte next) {
        if (next == ' ' || next == '\t') {
            padding++;
            FormRefusal.limit(padding <= maxHead, "white space after a boundary", maxHead, "bytes");
            return;
        }
        FormRefusal.check(next == '\r' || next == '-' && padding == 0,
                UNFINISHED + "no line end after a boundary");
        state = next == '\r' ? State.AFTER_CR : State.AFTER_DASH;
        head.reset();
        lineLength = 0;
        last = 0;
    }

    private void readHead(byte next) throws IOException {
        FormRefusal.limit(head.size() < maxHead, "the lines of a part", maxHead, "bytes");
        head.write(next);
        lineLength++;
        FormRefusal.check((last == '\r') == (next == '\n'), UNFINISHED + "CR or LF alone in a line");
        last = next;
        if (next != '\n') {
            return;
        }
        if (lineLength == "\r\n".length()) {
            state = State.CONTENT;
            parts.begin(head.toByteArray());
        }
        lineLength = 0;
    }
}
