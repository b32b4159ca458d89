package org.microhttp.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a client counted: numbers with names, so that the results of several processes travel as lines and are
 * merged by name. Latencies are counts by size, in steps of less than 2 %.
 */
final class ClientResult {

    private static final String LATENCY = "latency ", ERROR = "error ";

    /** Before the places of latencies, so that their names have one order with their sizes. */
    private static final int FIRST = 100_000;

    private final TreeMap<String, Long> numbers = new TreeMap<>();

    /** Adds a number to that of the same name; of what is called least or most only the extreme is kept. */
    void add(String name, long number) {
        if (name.startsWith("least ")) {
            numbers.merge(name, number, Math::min);
        } else if (name.startsWith("most ")) {
            numbers.merge(name, number, Math::max);
        } else {
            numbers.merge(name, number, Long::sum);
        }
    }

    void addError(String what) { add(ERROR + what.replaceAll("[\\p{Cntrl}]", " "), 1); }

    void addLatencies(long[] counts) {
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) add(LATENCY + (FIRST + i), counts[i]);
        }
    }

    /** The place of a latency among the counts: exact below 128 µs, then with seven binary digits. */
    static int indexOf(long micros) {
        int shift = Math.max(0, 57 - Long.numberOfLeadingZeros(Math.max(1, micros)));
        return (shift << 6) + (int) (micros >> shift);
    }

    static long micros(int index) {
        int shift = Math.max(0, (index >> 6) - 1);
        return (long) (index - (shift << 6)) << shift;
    }

    void print() { numbers.forEach((name, number) -> System.out.println(name + "\t" + number)); }

    /** Adds a line that {@link #print} printed. */
    void addLine(String line) {
        int tab = line.indexOf('\t');
        if (tab < 0) {
            addError("a process printed: " + line);
        } else {
            add(line.substring(0, tab), Long.parseLong(line.substring(tab + 1)));
        }
    }

    long get(String name) { return numbers.getOrDefault(name, 0L); }

    /** Whether everything went as asked: each connection made, no error, an answer on each. */
    boolean isClean() {
        return starting(ERROR).isEmpty() && get("open") == get("asked") && get("silent") == 0
                && get("messages") > 0;
    }

    void report() {
        System.out.printf("connections      %,d of %,d, made in %,d ms%n", get("open"), get("asked"),
                get("most millis connecting"));
        System.out.printf("messages         %,d in %,d ms: %,d per second%n", get("messages"),
                get("most millis running"), get("messages") * 1000 / Math.max(1, get("most millis running")));
        System.out.printf("latency, ms      p50 %s, p90 %s, p99 %s, p99.9 %s, max %.2f%n", percentile(50),
                percentile(90), percentile(99), percentile(99.9), get("most micros of latency") / 1e3);
        System.out.printf("per connection   least %,d, most %,d answers; %,d without any%n",
                get("least answers"), get("most answers"), get("silent"));
        System.out.printf("still waiting    %,d connections at the end, the longest for %.2f ms%n",
                get("waiting"), get("most micros waiting") / 1e3);
        starting(ERROR).forEach((error, times) ->
                System.out.printf("%-16s %,d times %s%n", "error", times, error.substring(6)));
        if (starting(ERROR).isEmpty()) System.out.println("errors           none");
    }

    private Map<String, Long> starting(String with) {
        return numbers.subMap(with, with + Character.MAX_VALUE);
    }

    private String percentile(double percent) {
        long all = starting(LATENCY).values().stream().mapToLong(Long::longValue).sum();
        long left = (long) Math.ceil(all * percent / 100);
        for (Map.Entry<String, Long> entry : starting(LATENCY).entrySet()) {
            left -= entry.getValue();
            int index = Integer.parseInt(entry.getKey().substring(LATENCY.length())) - FIRST;
            if (left <= 0) return String.format("%.2f", micros(index) / 1e3);
        }
        return "-";
    }
}
