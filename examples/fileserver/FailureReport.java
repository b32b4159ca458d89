package fileserver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.microhttp.Response;
import shared.Report;

/**
 * What is said on standard error when a file cannot be read, or an answer fails: each cause once, since it
 * may stay for long and clients may ask often. For any thread.
 */
final class FailureReport {

    /** Different causes that are said; a file's name is in most of them. */
    private static final int MOST = 100;

    private static final String NO_DESCRIPTORS = "Too many open files";

    private final Map<String, Boolean> said = new ConcurrentHashMap<>();

    /** {@return 503 where no descriptor is free, which may be better soon, and 500 for all else} */
    Response answer(Exception failure) {
        // Java has no class of its own for it
        boolean descriptors = ("" + failure.getMessage()).contains(NO_DESCRIPTORS);
        say(descriptors ? NO_DESCRIPTORS : "" + failure);
        return descriptors ? PlainAnswers.UNAVAILABLE : PlainAnswers.FAILED;
    }

    private void say(String cause) {
        if (said.size() < MOST && said.putIfAbsent(cause, true) == null) {
            System.err.println("FileServer: " + Report.oneLine(cause));
        }
    }
}
