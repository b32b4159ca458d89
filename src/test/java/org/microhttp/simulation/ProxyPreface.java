package org.microhttp.simulation;

import static org.microhttp.testing.ProxyHeaders.SIGNATURE;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.microhttp.wire.model.RequestLimits;

/**
 * What a proxy sends before all else (the PROXY protocol), and what must come of it: said apart from the
 * library, as the reference parser does it of requests.
 *
 * @param bytes  what goes before the requests
 * @param client who is told of; null for nobody
 * @param end    the index behind it; {@link #NEVER} if it is wrong, or not whole
 * @param flawAt the index behind what shows that it is wrong; {@link #NEVER} if nothing does
 * @param code   that of the refusal then
 * @param pieces how it is cut
 */
record ProxyPreface(byte[] bytes, InetSocketAddress client, int end, int flawAt, String code,
        Pieces pieces) {

    /** With what is behind it, by itself, in some pieces, by the byte. */
    enum Pieces { WITH_MORE, ALONE, SOME, BYTES }

    static final int NEVER = Integer.MAX_VALUE;
    static final ProxyPreface NONE = new ProxyPreface(new byte[0], null, 0, NEVER, null, Pieces.WITH_MORE);

    private static final int FIXED = 16;
    private static final int LONGEST_LINE = 107;
    private static final String BAD = "bad_proxy_header";

    /**
     * What is drawn, before it is known what comes behind it.
     *
     * @param right whether it is one by the rules, as far as those do not depend on sizes
     * @param last  whether nothing comes behind it
     */
    record Draft(byte[] bytes, InetSocketAddress client, boolean right, boolean last, Pieces pieces) {

        /** What must come of it, in front of all that is sent. */
        ProxyPreface judge(byte[] text, RequestLimits limits) {
            if (text.length > 0 && text[0] == '\r') return judgeBytes(text, limits);
            int most = Math.min(LONGEST_LINE, limits.requestSize());
            for (int i = 0; i < most && i < text.length; i++) {
                int value = text[i] & 0xFF;
                if (value >= ' ' && value != 0x7F || value == '\t') continue;
                if (value != '\r') return wrong(i + 1, value == '\n' ? "bare_lf" : "control_character");
                if (i + 1 == most || i + 1 == text.length) break;
                if (text[i + 1] != '\n') return wrong(i + 2, "bare_cr");
                return isEnd(i + 2) ? whole() : wrong(i + 2, BAD);
            }
            return text.length >= most ? wrong(most, BAD) : wrong(NEVER, null);
        }

        private ProxyPreface judgeBytes(byte[] text, RequestLimits limits) {
            if (text.length < FIXED) return wrong(NEVER, null);
            for (int i = 0; i < SIGNATURE.length(); i++) {
                if (text[i] != SIGNATURE.charAt(i)) return wrong(FIXED, BAD);
            }
            int length = FIXED + ByteBuffer.wrap(text).getChar(FIXED - 2);
            if (length > limits.requestSize()) return wrong(FIXED, BAD);
            if (length > text.length) return wrong(NEVER, null);
            return isEnd(length) ? whole() : wrong(length, BAD);
        }

        private boolean isEnd(int index) {
            return right && index == bytes.length;
        }

        private ProxyPreface whole() {
            return new ProxyPreface(bytes, client, bytes.length, NEVER, null, pieces);
        }

        private ProxyPreface wrong(int at, String code) {
            return new ProxyPreface(bytes, null, NEVER, at, code, pieces);
        }
    }

    /** Whether requests may follow it. */
    boolean isRight() {
        return end != NEVER;
    }

    /** What it is, by so many bytes, for who counts such. */
    String kind(long count) {
        if (count >= flawAt) return "wrong";
        if (count < end) return "not whole";
        String version = bytes[0] == '\r' ? "version 2" : "version 1";
        return client == null ? version + " of nobody" : version;
    }

    /** How many bytes of those that are left go out at once, of so many with what is behind. */
    int piece(int sent, int all, SplittableRandom random) {
        int left = bytes.length - sent;
        if (left <= 0) return all;
        return Math.min(all, switch (pieces) {
            case WITH_MORE -> all;
            case ALONE -> left;
            case SOME -> 1 + random.nextInt(left);
            case BYTES -> 1;
        });
    }
}
