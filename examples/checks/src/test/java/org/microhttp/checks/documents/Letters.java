package org.microhttp.checks.documents;

import java.util.List;

/**
 * How wide a text is at most, in ems. The system's own font differs from reader to reader, so these are the
 * widths of DejaVu Sans, a wide one, rounded up. A table measures alike on machines without any font.
 */
final class Letters {

    /** Height of the tallest letters above the line, and depth of the deepest below it. */
    static final double ASCENT = 0.8, DESCENT = 0.25;

    /** Letters of nearly the same width: that when plain, and when bold. */
    private record Group(String letters, double plain, double bold) { }

    private static final List<Group> GROUPS = List.of(
            new Group(" '/:;,.|\\ijlIJ", 0.34, 0.40),
            new Group("()[]!-frt", 0.42, 0.50),
            new Group("\"*_`–?sz", 0.54, 0.60),
            new Group("ceaokvxyL", 0.62, 0.69),
            new Group("FPTY", 0.62, 0.74),
            new Group("bdghnpquES0123456789", 0.64, 0.72),
            new Group("ABCKRVXZ{}$µ", 0.70, 0.78),
            new Group("DGHNOQU&", 0.79, 0.88),
            new Group("w#+<=>^~", 0.84, 0.93));

    /** Wider than any other. */
    private static final Group OTHERS = new Group("", 1.00, 1.11);

    private Letters() {
    }

    static double width(String text, boolean bold) {
        return text.codePoints().mapToObj(Letters::group)
                .mapToDouble(group -> bold ? group.bold : group.plain).sum();
    }

    private static Group group(int letter) {
        return GROUPS.stream().filter(group -> group.letters.indexOf(letter) >= 0).findFirst().orElse(OTHERS);
    }
}
