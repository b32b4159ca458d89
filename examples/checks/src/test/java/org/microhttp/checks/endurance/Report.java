package org.microhttp.checks.endurance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a program and its clients did, and which promises were broken: the verdict. Safe for use by several
 * threads.
 */
public final class Report {

    /** How many violations of a kind are reported in full. */
    private static final int EXAMPLES = 10;

    private static final String ASKED = "requests of clients";
    private static final String FAILED = "requests that failed";

    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, List<String>> broken = new TreeMap<>();
    private String place = "";

    /** From now on violations are reported to be of this server, or fault. */
    synchronized void begin(String description) {
        place = " [" + description + "]";
    }

    void count(String what) {
        count(what, 1);
    }

    synchronized void count(String what, long more) {
        counts.merge(what, more, Long::sum);
    }

    public synchronized void violation(String kind, String detail) {
        count("broken: " + kind, 1);
        List<String> examples = broken.computeIfAbsent(kind, k -> new ArrayList<>());
        if (examples.size() < EXAMPLES) {
            examples.add(kind + ": " + detail + place);
        }
    }

    /** Breaks the promise unless it is kept. */
    public void check(boolean kept, String kind, String detail) {
        if (!kept) {
            violation(kind, detail);
        }
    }

    /** A client that does all right has asked so often; what failed is a violation, in words. */
    void asked(String client, long requests, long failed, String how) {
        count(ASKED, requests);
        count(FAILED, failed);
        check(failed == 0, client, failed + " of " + requests + ": " + how);
    }

    public synchronized long asked() {
        return counts.getOrDefault(ASKED, 0L);
    }

    public synchronized long failed() {
        return counts.getOrDefault(FAILED, 0L);
    }

    public synchronized boolean isKept() {
        return broken.isEmpty();
    }

    /** A line for each count. */
    synchronized String counts() {
        var text = new StringBuilder();
        counts.forEach((what, count) -> text.append(what).append(": ").append(count).append('\n'));
        return text.toString();
    }

    /** A line for each violation that is reported. */
    public synchronized String violations() {
        var text = new StringBuilder();
        for (List<String> examples : broken.values()) {
            examples.forEach(example -> text.append("BROKEN ").append(example).append('\n'));
        }
        return text.toString();
    }

    /** Ends the program with its verdict. */
    public void conclude() {
        System.out.print(violations());
        System.out.println(isKept() ? "kept" : "BROKEN");
        System.exit(isKept() ? 0 : 1);
    }
}
