package org.microhttp.tools.responseserver;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.tools.commandline.CommandLine;

/**
 * How a body is sent.
 *
 * @param delay how much later than its head
 * @param piece how many bytes at a time
 * @param pause between two pieces
 * @param end   after how many bytes it is cut
 */
record Pace(Duration delay, int piece, Duration pause, int end) {

    private static final Pattern DRIP = Pattern.compile("([0-9]{1,9})/(.+)");

    static Pace of(CommandLine line) {
        Duration delay = line.time(ResponseFlags.BODY_DELAY, Duration.ZERO);
        int end = line.number(ResponseFlags.CUT_AFTER, Integer.MAX_VALUE, 0, Integer.MAX_VALUE - 1);
        if (!line.has(ResponseFlags.DRIP)) {
            return new Pace(delay, Integer.MAX_VALUE, Duration.ZERO, end);
        }
        String drip = line.get(ResponseFlags.DRIP, "");
        Matcher parts = DRIP.matcher(drip);
        Duration pause = parts.matches() ? CommandLine.time(parts.group(2)) : null;
        boolean valid = pause != null && Integer.parseInt(parts.group(1)) > 0;
        CommandLine.check(valid, ResponseFlags.DRIP, drip, "BYTES/TIME, as 1/100ms or 4096/1s");
        return new Pace(delay, Integer.parseInt(parts.group(1)), pause, end);
    }

    /** Whether a body is sent as any other is. */
    boolean isOrdinary() {
        return delay.isZero() && piece == Integer.MAX_VALUE && end == Integer.MAX_VALUE;
    }
}
