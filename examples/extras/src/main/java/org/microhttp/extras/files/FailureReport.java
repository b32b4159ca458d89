package org.microhttp.extras.files;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.microhttp.Response;
import org.microhttp.extras.representation.PlainAnswers;

/**
 * What is answered when a file cannot be read, or an answer fails, and who is told why: each cause once,
 * since it may stay for long and clients may ask often. For any thread.
 */
final class FailureReport {

    private static final String NO_DESCRIPTORS = "Too many open files";

    /** Different causes that are told; a name that a client chose may be in them. */
    private static final int MOST = 100;

    private final Map<String, Boolean> causes = new ConcurrentHashMap<>();
    private final BiConsumer<String, Exception> told;

    FailureReport(BiConsumer<String, Exception> told) {
        this.told = told;
    }

    /**
     * {@return 503 where no descriptor is free, which may be better soon, and 500 for all else}
     *
     * @param path of the request
     */
    Response answer(String path, Exception failure) {
        // Java has no class of its own for it
        boolean descriptors = ("" + failure.getMessage()).contains(NO_DESCRIPTORS);
        String cause = descriptors ? NO_DESCRIPTORS : path + ": " + failure;
        if (causes.size() < MOST && causes.putIfAbsent(cause, true) == null) {
            told.accept(descriptors ? "" : path, failure);
        }
        return descriptors ? PlainAnswers.UNAVAILABLE : PlainAnswers.FAILED;
    }

    /** What is done if the program says nothing else. */
    static void log(String path, Exception failure) {
        // a client must not end the line
        String line = (path + ": " + failure).replaceAll("\\p{Cc}", "?");
        System.getLogger(FileHandler.class.getName()).log(System.Logger.Level.WARNING, line);
    }
}
