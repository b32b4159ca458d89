package org.microhttp.work;

import java.lang.reflect.Array;
import java.nio.Buffer;
import java.util.Collection;
import java.util.Map;

/**
 * What counted code has done, in steps: one for each round of a loop and each call of a method, and one for
 * each element that a method of the JDK goes over. {@link CountedSource} puts the calls of this class into
 * the code. For one thread at a time.
 */
public final class Work {

    /** Far more than any bounded use needs: a use without an end is stopped here. */
    private static final long MOST = 20_000_000;

    private static long done;
    private static long end = Long.MAX_VALUE;

    private Work() {
    }

    /** How many steps counted code does in that; fails at once when they are far too many. */
    static long of(Runnable use) {
        long before = done;
        end = before + MOST;
        try {
            use.run();
        } finally {
            end = Long.MAX_VALUE;
        }
        return done - before;
    }

    private static void count(int steps) {
        done += steps;
        if (done > end) throw new AssertionError("over " + MOST + " steps");
    }

    public static void step() {
        count(1);
    }

    /** Counts so many elements, and passes the number on. */
    public static int of(int length) {
        count(length);
        return length;
    }

    /** Counts each element, and passes the object on. */
    public static <T> T of(T object) {
        count(length(object));
        return object;
    }

    /** Counts each look at a character of the text. */
    public static CharSequence looked(CharSequence text) {
        return new Looked(text);
    }

    private static int length(Object object) {
        if (object == null) return 0;
        if (object instanceof CharSequence text) return text.length();
        if (object instanceof Collection<?> collection) return collection.size();
        if (object instanceof Map<?, ?> map) return map.size();
        if (object instanceof Buffer buffer) return buffer.remaining();
        return Array.getLength(object);
    }

    /** A text for a regular expression, so that going back over it is counted. */
    private record Looked(CharSequence text) implements CharSequence {

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            step();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return of(text.subSequence(from, to));
        }

        @Override
        public String toString() {
            return of(text.toString());
        }
    }
}
