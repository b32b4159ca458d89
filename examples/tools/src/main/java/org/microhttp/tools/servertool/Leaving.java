package org.microhttp.tools.servertool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjIntConsumer;
import org.microhttp.tools.reporting.Report;

/**
 * How a server ends when it is told to: it gives notice, serves on for a while, then takes nothing new and
 * answers what it has.
 *
 * @param notice tells those who ask that it leaves
 * @param drain  how long it serves on after that, so that they have asked
 * @param grace  how long requests may take to be answered then
 * @param last   is given where lines go, and how many requests were dropped, or -1 if that is not known, when
 *               all else is done
 */
public record Leaving(Runnable notice, Duration drain, Duration grace, ObjIntConsumer<Report> last) {

    /** At once, and with nothing to say. */
    static Leaving within(Duration grace) {
        return new Leaving(() -> { }, Duration.ZERO, grace, (report, dropped) -> { });
    }

    long millis() {
        return drain.plus(grace).toMillis();
    }

    /** Returns when the time after it is over. */
    void giveNotice() {
        notice.run();
        try {
            TimeUnit.NANOSECONDS.sleep(drain.toNanos());
        } catch (InterruptedException e) {
            // who ends this thread does not wait for others either
            Thread.currentThread().interrupt();
        }
    }
}
