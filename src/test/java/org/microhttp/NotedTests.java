package org.microhttp;

import java.util.List;
import org.microhttp.testing.TestRun;

/**
 * Runs tests as {@link TestRun} does, in a JVM with the {@link NotedLibrary}. It also fails if a connection
 * has changed its state in a way that {@link ConnectionState} does not draw, or if none has changed it.
 */
final class NotedTests {

    /** No number that Java itself ends with, nor {@link TestRun}. */
    private static final int STRANGE = 5;

    private NotedTests() {
    }

    public static void main(String[] names) {
        int status = TestRun.run(names);
        List<String> strange = Inside.edgesNotDrawn();
        System.out.println(SeenEdges.all().size() + " changes of state; not drawn: " + strange);
        System.exit(status == 0 && (!strange.isEmpty() || SeenEdges.all().isEmpty()) ? STRANGE : status);
    }
}
