package fileserver;

import org.microhttp.Response;
import reporting.SaidOnce;
import representation.PlainAnswers;

/**
 * What is answered when a file cannot be read, or an answer fails, and said on standard error. For any
 * thread.
 */
final class FailureReport {

    private static final String NO_DESCRIPTORS = "Too many open files";

    private final SaidOnce causes = new SaidOnce("FileServer", System.err);

    /** {@return 503 where no descriptor is free, which may be better soon, and 500 for all else} */
    Response answer(Exception failure) {
        // Java has no class of its own for it
        boolean descriptors = ("" + failure.getMessage()).contains(NO_DESCRIPTORS);
        causes.say(descriptors ? NO_DESCRIPTORS : "" + failure);
        return descriptors ? PlainAnswers.UNAVAILABLE : PlainAnswers.FAILED;
    }
}
