package org.microhttp.extras.websocket;

/**
 * Checks that bytes are UTF-8 (RFC 3629), however they are cut: a fragment may end within a character
 * (RFC 6455 §5.6). For one thread.
 */
final class Utf8Check {

    /** How many bytes of a character are missing; the least and the greatest value of the next byte. */
    private int left;
    private int least;
    private int most;

    /** {@return whether the bytes can be the next ones of a text} */
    boolean accepts(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            int value = bytes[i] & 0xFF;
            if (left > 0) {
                if (value < least || value > most) {
                    return false;
                }
                expect(left - 1, 0x80, 0xBF);
            } else if (value >= 0x80 && !begins(value)) {
                return false;
            }
        }
        return true;
    }

    /** The table of RFC 3629 §4: only the shortest form, no surrogates, nothing beyond U+10FFFF. */
    private boolean begins(int value) {
        if (value < 0xC2 || value > 0xF4) {
            return false;
        }
        switch (value) {
            case 0xE0 -> expect(2, 0xA0, 0xBF);
            case 0xED -> expect(2, 0x80, 0x9F);
            case 0xF0 -> expect(3, 0x90, 0xBF);
            case 0xF4 -> expect(3, 0x80, 0x8F);
            default -> expect(value < 0xE0 ? 1 : value < 0xF0 ? 2 : 3, 0x80, 0xBF);
        }
        return true;
    }

    private void expect(int count, int lowest, int highest) {
        left = count;
        least = lowest;
        most = highest;
    }

    /** {@return whether the text may end here} */
    boolean isComplete() {
        return left == 0;
    }
}
