package org.microhttp.simulation;

import java.util.SplittableRandom;

/**
 * What goes wrong with a body: what, and, of a file, when so many bytes were moved, or more are asked for.
 *
 * @param left how many bytes there are then of a file that shrinks; more have been sent, at times
 */
record BodyFault(Kind kind, int at, int left) {

    enum Kind {
        NONE,

        /** The file is cut. */
        SHRINKS,

        /** Whatever is asked of the file fails. */
        FAILS,

        /** Somebody closes the file. */
        IS_CLOSED,

        /** What is run when the response is done with throws. */
        RELEASE_FAILS
    }

    static final BodyFault NONE = new BodyFault(Kind.NONE, 0, 0);

    /** Draws one, for so many of 100 bodies. */
    static BodyFault plan(Content.Form form, int length, int often, SplittableRandom random) {
        if (random.nextInt(100) >= often) return NONE;
        boolean file = form == Content.Form.FILE && length > 0;
        Kind kind = file ? Kind.values()[1 + random.nextInt(4)] : Kind.RELEASE_FAILS;
        return file ? at(kind, length, random) : new BodyFault(kind, 0, 0);
    }

    /** That a file is cut, within so many bytes. */
    static BodyFault cut(int most, SplittableRandom random) {
        return at(Kind.SHRINKS, most, random);
    }

    private static BodyFault at(Kind kind, int most, SplittableRandom random) {
        return new BodyFault(kind, random.nextInt(4) == 0 ? 0 : random.nextInt(most + 1),
                random.nextInt(most));
    }

    boolean is(Kind other) {
        return kind == other;
    }
}
