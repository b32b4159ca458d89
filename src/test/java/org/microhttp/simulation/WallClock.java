package org.microhttp.simulation;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/** The clock on the wall: which dates an answer may have. */
final class WallClock {

    private static final long SECOND = 1_000_000_000L;
    private static final DateTimeFormatter IMF_FIXDATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT);

    private final World world;
    private long jumped = -10 * SECOND;

    WallClock(World world) {
        this.world = world;
    }

    /** Plans when the machine stands still, and when this clock jumps. */
    void planPauses(SplittableRandom random) {
        long most = world.conditions.span() + 5 * SECOND;
        for (int i = 0; i < world.conditions.network().pauses(); i++) {
            long length = random.nextLong(20 * SECOND);
            world.machine.later(random.nextLong(most), () -> pause(length));
            world.machine.later(random.nextLong(most), () -> jump(random.nextLong(7_200_000) - 3_600_000));
        }
    }

    private void pause(long length) {
        world.tell("stands still for " + length / 1_000_000 + " ms");
        world.machine.pass(length);
        world.turns.onPause();
    }

    private void jump(long millis) {
        jumped = world.machine.now();
        world.machine.setWall(millis);
    }

    /**
     * Whether this is what the server may have seen in this turn.
     *
     * @param delayed whether it may have been earlier
     */
    boolean isDate(String date, boolean delayed) {
        if (date == null) return false;
        long now = world.machine.now();
        if (delayed || now - jumped < 3 * SECOND || world.conditions.network().pauses() > 0) return true;
        long wall = world.machine.wallMillis();
        long first = (wall - (now - world.turns.begin()) / 1_000_000 - 2) / 1000;
        for (long second = wall / 1000; second >= first; second--) {
            String text = IMF_FIXDATE.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
            if (text.equals(date)) return true;
        }
        return false;
    }
}
