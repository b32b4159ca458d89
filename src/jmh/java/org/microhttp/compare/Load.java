package org.microhttp.compare;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.Children;
import org.microhttp.measure.Row;

/** A run of a load generator. It counts requests, bytes, seconds and errors, wrk latencies too. */
final class Load {

    private static final Pattern COUNTED = Pattern.compile("counted(( \\w+ [0-9.]+)+)");

    /** However slow the machine is. */
    private static final double BRIEFLY_AT_MOST = 10, LATE_AT_MOST = 120;

    private Load() { }

    /**
     * Runs a load generator for so many seconds, or for fewer than one: it knows whole ones only, but when it
     * is interrupted earlier it reports what it has.
     */
    static Row run(List<String> command, double seconds) throws IOException {
        // interrupted before it is ready for that the program ends in silence: then it gets more time
        for (double limit = seconds; limit < 1; limit *= 4) {
            Row counted = counted(Children.run(command, limit));
            if (counted.number("bytes") > 0) return counted;
        }
        String output = Children.run(command, seconds < 1 ? BRIEFLY_AT_MOST : seconds + LATE_AT_MOST);
        Row counted = counted(output);
        if (counted.number("bytes") == 0) throw new IOException("no answer: " + output.strip());
        return counted;
    }

    /** Nothing if it did not end as it should. */
    private static Row counted(String output) {
        if (output.startsWith("This is ApacheBench")) return countedByAb(output);
        Matcher counted = COUNTED.matcher(output);
        String[] words = counted.find() ? counted.group(1).strip().split(" ") : new String[0];
        Row row = new Row();
        for (int i = 0; i < words.length; i += 2) row.set(words[i], "%s", words[i + 1]);
        return row;
    }

    private static Row countedByAb(String output) {
        double errors = value(output, "Failed requests:") + value(output, "Non-2xx responses:");
        return new Row().set("requests", "%.0f", value(output, "Complete requests:"))
                .set("bytes", "%.0f", value(output, "Total transferred:"))
                .set("seconds", "%.3f", value(output, "Time taken for tests:"))
                .set("errors", "%.0f", errors);
    }

    private static double value(String output, String name) {
        Matcher value = Pattern.compile(name + " +([0-9.]+)").matcher(output);
        return value.find() ? Double.parseDouble(value.group(1)) : 0;
    }
}
