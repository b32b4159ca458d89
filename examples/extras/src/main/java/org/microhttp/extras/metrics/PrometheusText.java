package org.microhttp.extras.metrics;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/**
 * Writes metrics in Prometheus' text format, version 0.0.4. Each metric has a line for its help, one for its
 * type, and one for each sample. By Prometheus' conventions a name ends in its unit, and the name of a
 * counter in {@code _total} after the unit.
 */
final class PrometheusText {

    static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final int NANO_DIGITS = 9;

    private final StringBuilder text = new StringBuilder();
    private final String prefix;

    /** @param prefix begins every name */
    PrometheusText(String prefix) {
        this.prefix = prefix;
    }

    /** Adds a number that goes up and down. */
    PrometheusText gauge(String name, String help, long value) {
        return describe(name, "gauge", help).sample(name, "", "" + value);
    }

    /** Adds a time, whose name must end in {@code _seconds}. */
    PrometheusText gauge(String name, String help, Duration value) {
        return describe(name, "gauge", help).sample(name, "", seconds(value).toPlainString());
    }

    /** Adds a number that only grows. */
    PrometheusText counter(String name, String help, long value) {
        return describe(name + "_total", "counter", help).sample(name + "_total", "", "" + value);
    }

    /** Adds several numbers that only grow, one for each value of a label; the map may be empty. */
    PrometheusText counter(String name, String help, String label, Map<String, Long> values) {
        describe(name + "_total", "counter", help);
        values.forEach((key, value) ->
                sample(name + "_total", "{" + label + "=\"" + escape(key).replace("\"", "\\\"") + "\"}",
                        "" + value));
        return this;
    }

    /** Adds a histogram of times, whose name must end in {@code _seconds}; its last bucket has no bound. */
    PrometheusText histogram(String name, String help, SortedMap<Duration, Long> counts, Duration sum) {
        describe(name, "histogram", help);
        long count = 0;
        for (Map.Entry<Duration, Long> bucket : counts.entrySet()) {
            count += bucket.getValue();
            boolean last = bucket.getKey().equals(counts.lastKey());
            String bound = last ? "+Inf" : seconds(bucket.getKey()).stripTrailingZeros().toPlainString();
            sample(name + "_bucket", "{le=\"" + bound + "\"}", "" + count);
        }
        sample(name + "_sum", "", seconds(sum).toPlainString());
        return sample(name + "_count", "", "" + count);
    }

    private static BigDecimal seconds(Duration time) {
        return BigDecimal.valueOf(time.toNanos(), NANO_DIGITS);
    }

    private PrometheusText describe(String name, String type, String help) {
        text.append("# HELP ").append(prefix).append(name).append(' ').append(escape(help)).append('\n');
        text.append("# TYPE ").append(prefix).append(name).append(' ').append(type).append('\n');
        return this;
    }

    private PrometheusText sample(String name, String labels, String value) {
        text.append(prefix).append(name).append(labels).append(' ').append(value).append('\n');
        return this;
    }

    /** The escapes that helps and label values share. */
    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
