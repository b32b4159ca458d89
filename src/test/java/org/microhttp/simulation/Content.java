package org.microhttp.simulation;

import java.util.*;

/** The body of an answer: made of what, how long, which piece of the noise, and what goes wrong with it. */
record Content(Form form, long length, int noise, BodyFault mishap) {

    enum Form {

        /** An array, which nobody is told is done with. */
        ARRAY,
        HEAP, READ_ONLY, DIRECT, FILE,
        /** Signalled by a publisher while it is sent. */
        STREAM,
        /** The same, in another protocol. */
        UPGRADE;

        boolean isStreamed() {
            return this == STREAM || this == UPGRADE;
        }
    }

    /** The longest of which all is sent; of a longer one the same comes again and again. */
    static final int MAX_LENGTH = 1_500_000;

    /** How much is sent at most of one that is cut: more than a turn may write. */
    private static final int MOST_BEFORE_CUT = 5 * MAX_LENGTH;

    private static final int OFFSETS = 4096;

    /** Every body is a piece of this, so that one that is not whole, or another's, is seen. */
    static final byte[] NOISE = new byte[MAX_LENGTH + OFFSETS];

    private static final Form[] OTHERS = {Form.HEAP, Form.READ_ONLY, Form.DIRECT, Form.FILE, Form.FILE};

    /** How long a file is said to be, at times, that is cut long before. */
    private static final long[] HUGE = {1L << 31, 1L << 32, 5_000_000_000L};

    static {
        new Random(4711).nextBytes(NOISE);
    }

    /** Plans the body of an answer that is plain. */
    static Content array(int length, SplittableRandom random) {
        return new Content(Form.ARRAY, length, random.nextInt(OFFSETS), BodyFault.NONE);
    }

    /** Plans that of any other; a file that is cut may be said to be longer than this connection can take. */
    static Content plan(int length, int longest, Conditions.Contents contents, SplittableRandom random) {
        if (random.nextInt(100) < contents.streamed()) {
            int longer = random.nextInt(4) == 0 ? random.nextInt(20_000) : length;
            return new Content(Form.STREAM, Math.min(longer, StreamedBody.LONGEST),
                    random.nextInt(OFFSETS), BodyFault.NONE);
        }
        if (random.nextInt(100) >= contents.others()) return array(length, random);
        int noise = random.nextInt(OFFSETS);
        Form form = Conditions.pick(random, OTHERS);
        BodyFault mishap = BodyFault.plan(form, length, contents.mishaps(), random);
        boolean huge = mishap.is(BodyFault.Kind.SHRINKS) && random.nextInt(3) == 0;
        if (!huge) return new Content(form, length, noise, mishap);
        return new Content(form, HUGE[random.nextInt(HUGE.length)], noise,
                BodyFault.cut(Math.min(longest, MOST_BEFORE_CUT), random));
    }

    /** What is said to a client in another protocol. */
    static Content upgrade(SplittableRandom random) {
        int most = random.nextInt(4) == 0 ? 20_000 : 200;
        return new Content(Form.UPGRADE, random.nextInt(most), random.nextInt(OFFSETS), BodyFault.NONE);
    }

    /** The same, and nothing goes wrong with it. */
    Content withoutMishap() {
        return new Content(form == Form.ARRAY ? Form.HEAP : form, length, noise, BodyFault.NONE);
    }

    /** Where in the noise the byte at an offset is. */
    int at(long offset) {
        return noise + (int) (offset % MAX_LENGTH);
    }

    /** How many bytes from an offset on are in a row in the noise. */
    static int inARow(long offset) {
        return MAX_LENGTH - (int) (offset % MAX_LENGTH);
    }

    /** All of it, as it is in memory. */
    byte[] bytes() {
        return Arrays.copyOfRange(NOISE, noise, noise + (int) length);
    }

    /** Where the region of the file begins: far behind the beginning, at times at the end of what can be. */
    long position() {
        return noise % 16 == 0 ? 999_999_999_999_999_999L - length : noise * 2_000_003L;
    }
}
