package org.microhttp.extras.representation;

/**
 * Which paths are meant. A pattern without a slash is for the names of files in any folder, and one with a
 * slash for whole paths from the root, with a slash in front or without. In it {@code *} stands for any
 * characters but a slash, {@code **} for any, {@code ?} for one that is no slash.
 */
public final class PathPattern {

    private static final int NONE = -1;

    private final int[] pattern;

    /**
     * Takes any text: each is a pattern.
     *
     * @param text see above
     */
    public PathPattern(String text) {
        pattern = (text.contains("/") ? fromRoot(text) : "**/" + text).codePoints().toArray();
    }

    /**
     * {@return whether a decoded path from the root, as {@code /a/b.css}, is meant}
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
     * What a star stands for is as short as can be at first. Where the rest does not fit then, the last star
     * takes one character more, or, if it must not, the last of two stars. None before need be tried again,
     * so the time is bounded, whatever the pattern.
     */
    private static final class Comparison {

        private final int[] pattern;
        private final int[] path;

        /** What is compared next. */
        private int next;
        private int at;

        /** Behind the last star, and where the rest begins that is compared with what is behind it. */
        private int star = NONE;
        private int starAt;

        /** Likewise for two. */
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
