package org.microhttp.simulation;

import java.nio.ByteBuffer;

/** Reads the lines of a body in chunks strictly: sizes in lower case, CRLF, no extensions, no trailers. */
final class Chunks {

    private final StringBuilder line = new StringBuilder();

    /** What is left of a chunk; whether the line after its bytes, or the last, is next; the end is read. */
    private int left;
    private boolean lineEnd, last, over;

    /** Whether a chunk may begin, and nothing of the one before is missing. */
    boolean isBetween() {
        return left == 0 && !lineEnd && line.isEmpty();
    }

    boolean isOver() {
        return over;
    }

    /** Takes a byte of a line; false if a byte of the body is next. */
    boolean takeLine(ByteBuffer source) {
        if (left > 0) return false;
        line.append((char) source.get());
        if (line.charAt(line.length() - 1) == '\n') readLine(line.toString());
        return true;
    }

    private void readLine(String text) {
        line.setLength(0);
        if (lineEnd) {
            if (!text.equals("\r\n")) throw new Broken("a chunk is followed by " + text);
            lineEnd = false;
            over = last;
            return;
        }
        if (!text.matches("(0|[1-9a-f][0-9a-f]*)\r\n")) throw new Broken("a chunk begins with " + text);
        left = Integer.parseInt(text.strip(), 16);
        last = left == 0;
        lineEnd = true;
    }

    /** Takes as many bytes of the body as the chunk has, and returns how many. */
    int take(int most) {
        int count = Math.min(left, most);
        left -= count;
        return count;
    }
}
