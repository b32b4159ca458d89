package org.microhttp.extras.representation;

/**
 * Matches paths. A pattern without a slash is for the names of files in any folder. A pattern with a slash is
 * for whole paths from the root, with or without a slash in front. {@code *} stands for any characters but
 * slashes, {@code **} for any characters, {@code ?} for one character but a slash.
 */
public final class PathPattern {

    private static final int NONE = -1;

    private final int[] pattern;

    /**
     * Makes a pattern; any text is valid.
     *
     * @param text see above
     */
    public PathPattern(String text) {
        pattern = (text.contains("/") ? fromRoot(text) : "**/" + text).codePoints().toArray();
    }

    /**
     * {@return whether a decoded path from the root, such as {@code /a/b.css}, matches}
     *
     * @param decodedPath with a slash in front or without
     */
    public boolean matches(String decodedPath) {
        return new Comparison(pattern, fromRoot(decodedPath).codePoints().toArray()).run();
    }

    private static String fromRoot(String path) {
        return path.startsWith("/") ? path : "/" + path;
    }

    /**
     * Each star first stands for as few characters as possible. If the rest does not match, the last {@code
     * *} takes one more character, or, if that is a slash, the last {@code **} does. Earlier stars need not
     * be tried again, so the time is bounded for every pattern.
     */
    private static final class Comparison {

        private final int[] pattern;
        private final int[] path;

        /** The indexes that are compared next. */
        private int next;
        private int at;

        /** After the last {@code *}: the index in the pattern, and that in the path where the rest begins. */
        private int star = NONE;
        private int starAt;

        /** The same for the last {@code **}. */
        private int stars = NONE;
        private int starsAt;

        Comparison(int[] pattern, int[] path) {
            this.pattern = pattern;
            this.path = path;
        }

        boolean run() {
            while (at < path.length) {
                if (!step() && !takeMore()) {
                    return false;
                }
            }
            while (isStar(next)) {
                next++;
            }
            return next == pattern.length;
        }

        private boolean step() {
            if (isStar(next) && isStar(next + 1)) {
                next += 2;
                stars = next;
                starsAt = at;
                star = NONE;
                return true;
            }
            if (isStar(next)) {
                next++;
                star = next;
                starAt = at;
                return true;
            }
            boolean fits = next < pattern.length
                    && (pattern[next] == path[at] || pattern[next] == '?' && path[at] != '/');
            if (fits) {
                next++;
                at++;
            }
            return fits;
        }

        private boolean takeMore() {
            if (star != NONE && path[starAt] != '/') {
                starAt++;
                next = star;
                at = starAt;
                return true;
            }
            star = NONE;
            starsAt++;
            next = stars;
            at = starsAt;
            return stars != NONE;
        }

        private boolean isStar(int index) {
            return index < pattern.length && pattern[index] == '*';
        }
    }
}
