package org.microhttp.measure;

import java.util.ArrayList;
import java.util.List;

/** What went wrong in a measurement: a wrong answer, or errors that the load generator counted. */
public final class Problems {

    private final List<String> all = new ArrayList<>();

    /** {@return a line for each} */
    public List<String> all() { return all; }

    /** Notes and prints one. */
    public void add(String where, String what) {
        String problem = where + ": " + what.replaceAll("\\s+", " ");
        all.add(problem);
        System.out.println("  " + problem);
    }
}
