package org.microhttp.extras.files;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.InputFile;
import org.microhttp.extras.reporting.SaidOnce;
import org.microhttp.extras.representation.PlainAnswers;

/**
 * What is answered when a file cannot be read, or an answer fails, and said on standard error. For any
 * thread.
 */
final class FailureReport {

    private static final String NO_DESCRIPTORS = "Too many open files";

    private final SaidOnce causes = new SaidOnce("FileServer", System.err);

    /**
     * {@return 503 where no descriptor is free, which may be better soon, and 500 for all else}
     *
     * @param key the path of the request
     */
    Response answer(String key, Exception failure) {
        // Java has no class of its own for it
        boolean descriptors = ("" + failure.getMessage()).contains(NO_DESCRIPTORS);
        causes.say(descriptors ? NO_DESCRIPTORS : key + ": " + InputFile.failure(named(key), failure));
        return descriptors ? PlainAnswers.UNAVAILABLE : PlainAnswers.FAILED;
    }

    /** Null where it can be none. */
    private static Path named(String key) {
        try {
            return Path.of(key.substring(key.lastIndexOf('/') + 1));
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
