package org.microhttp.extras.forms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.microhttp.extras.routing.RequestException;

/**
 * Splits a multipart body into its parts as it arrives, in buffers of any size (RFC 2046 §5.1.1). The parser
 * keeps the lines of one part, never content, and looks at each byte once:
 * <pre>
 *   PREAMBLE --delimiter--&gt; AFTER --CRLF--&gt; HEAD --empty line--&gt; CONTENT --delimiter--&gt; AFTER
 *                             |
 *                             +--"--"--&gt; EPILOGUE
 * </pre>
 * The delimiter is CRLF, two dashes and the boundary. No boundary has a CR, so if a match fails, only the
 * byte that failed may begin another match. Matched bytes equal the delimiter's, so they need not be kept.
 * For one thread at a time.
 */
public final class MultipartParser {

    /** Gets each part in this order: one head, any number of pieces of content, one end. */
    public interface Parts {

        /**
         * Begins a part, whose head is complete.
         *
         * @param lines of the head, with the empty line
         * @throws IOException if the part cannot be kept
         * @throws RequestException if the part is refused
         */
        void begin(byte[] lines) throws IOException;

        /**
         * Adds a piece of the content of the part.
         *
         * @param content to be read before this returns
         * @throws IOException if the content cannot be kept
         * @throws RequestException if the part is refused
         */
        void add(ByteBuffer content) throws IOException;

        /**
         * Ends the part, which is complete.
         *
         * @throws IOException if the part cannot be kept
         * @throws RequestException if the part is refused
         */
        void end() throws IOException;
    }

    /** What comes next. AFTER_DASH expects the second dash of the end, AFTER_CR the LF of a line end. */
    private enum State { PREAMBLE, AFTER, AFTER_DASH, AFTER_CR, HEAD, CONTENT, EPILOGUE }

    private static final String UNFINISHED = "the body is no multipart body: ";

    private final byte[] delimiter;
    private final int maxHead;
    private final Parts parts;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private State state = State.PREAMBLE;

    /** How much of the delimiter was found; the first delimiter may be without its CRLF. */
    private int matched = "\r\n".length();

    /** The length of the present line of the head, and of the padding after the present delimiter. */
    private int lineLength;
    private int padding;
    private byte last;

    /**
     * Makes a parser for one body.
     *
     * @param boundary from the type of the body; the caller has checked its grammar, so it has no CR
     * @param maxHead  how many bytes the lines of a part may have
     * @param parts    gets the parts
     */
    public MultipartParser(String boundary, int maxHead, Parts parts) {
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        this.maxHead = maxHead;
        this.parts = parts;
    }

    /**
     * Parses the next bytes of the body, up to the end of the buffer.
     *
     * @param bytes the next bytes
     * @throws RequestException if the body is malformed or refused; do not use the parser any more then
     * @throws IOException if a part cannot be kept
     */
    public void parse(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            parseNext(bytes);
        }
    }

    /**
     * Parses one or more bytes of a buffer that is not empty. Begins or ends at most one part, and adds at
     * most two pieces of content before the end.
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
     * Ends the body.
     *
     * @throws RequestException if the last boundary is missing
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
        // the matched bytes in this buffer are no content, or not yet
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
