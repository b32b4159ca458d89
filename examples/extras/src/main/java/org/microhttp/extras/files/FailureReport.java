package org.microhttp.extras.files;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.microhttp.Response;
import org.microhttp.extras.representation.PlainAnswers;

/**
 * Answers requests that fail, for example because a file cannot be read, and reports each cause once: a cause
 * may last long, and clients may ask often. For any thread.
 */
final class FailureReport {

    private static final String NO_DESCRIPTORS = "Too many open files";

    /** How many causes are reported: clients choose the names in them, so they may be endless. */
    private static final int MOST = 100;

    private final Map<String, Boolean> causes = new ConcurrentHashMap<>();
    private final BiConsumer<String, Exception> told;

    FailureReport(BiConsumer<String, Exception> told) {
        this.told = told;
    }

    /**
     * {@return a 503 if no file descriptor is free, which may change soon; else a 500}
     *
     * @param path of the request
     */
    Response answer(String path, Exception failure) {
        // Java has no exception class for this failure
        boolean descriptors = ("" + failure.getMessage()).contains(NO_DESCRIPTORS);
        String cause = descriptors ? NO_DESCRIPTORS : path + ": " + failure;
        if (causes.size() < MOST && causes.putIfAbsent(cause, true) == null) {
            told.accept(descriptors ? "" : path, failure);
        }
        return descriptors ? PlainAnswers.UNAVAILABLE : PlainAnswers.FAILED;
    }

    /** The default report: a warning. */
    static void log(String path, Exception failure) {
        // a client must not be able to break the line
        String line = (path + ": " + failure).replaceAll("\\p{Cc}", "?");
        System.getLogger(FileHandler.class.getName()).log(System.Logger.Level.WARNING, line);
    }
}
