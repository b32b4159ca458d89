package org.microhttp.faults.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all lives together did, and which promises were broken. Safe for use by several threads. */
public final class ChaosLedger {

    /** How many violations of a kind are told in full. */
    private static final int EXAMPLES = 5;

    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, List<String>> broken = new TreeMap<>();
    private String life = "";

    /** From now on violations are told to be of this life. */
    synchronized void begin(String description) {
        life = description;
    }

    synchronized void count(String what) {
        count(what, 1);
    }

    synchronized void count(String what, long more) {
        counts.merge(what, more, Long::sum);
    }

    synchronized void violation(String kind, String detail) {
        count("broken: " + kind);
        List<String> examples = broken.computeIfAbsent(kind, k -> new ArrayList<>());
        if (examples.size() < EXAMPLES) {
            examples.add(kind + ": " + detail + " [" + life + "]");
        }
    }

    /** Breaks the promise unless it is kept. */
    void check(boolean kept, String kind, String detail) {
        if (!kept) {
            violation(kind, detail);
        }
    }

    public synchronized boolean isKept() {
        return broken.isEmpty();
    }

    synchronized long counted(String what) {
        return counts.getOrDefault(what, 0L);
    }

    /** A line for each count, then one for each violation that is told. */
    public synchronized String report() {
        var text = new StringBuilder();
        counts.forEach((what, count) -> text.append(what).append(": ").append(count).append('\n'));
        for (List<String> examples : broken.values()) {
            examples.forEach(example -> text.append("BROKEN ").append(example).append('\n'));
        }
        return text.toString();
    }
}
