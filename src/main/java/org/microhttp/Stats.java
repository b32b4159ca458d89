package org.microhttp;

import java.time.Duration;
import java.util.*;

/**
 * What an event loop, or a group of loops, has done since it was constructed. It is an immutable snapshot:
 * its numbers are read one after the other while the loop runs, so they may differ by some requests. A test
 * of a page that shows the numbers makes its own:
 * <pre>{@code
 *   Stats stats = Stats.of(Map.of("served", 5L, "responses.2xx", 5L, "refusals.overload", 2L));
 * }</pre>
 */
public final class Stats {

    private static final List<String> NAMES = List.of("connections", "accepted", "closed", "served",
            "refused", "upgrades", "responses.2xx", "responses.3xx", "responses.4xx", "responses.5xx",
            "bytesIn", "bytesOut", "timeouts", "totalDuration", "longestTurn");
    private static final String REFUSALS = "refusals.";

    /** How many powers of two there are for durations, in microseconds: the last is 36 minutes. */
    static final int POWERS = 32;
    private static final Map<String, Duration> DURATIONS = new LinkedHashMap<>();

    static {
        for (int power = 0; power < POWERS; power++) {
            long micros = 1L << power;
            DURATIONS.put("durations." + micros, Duration.ofNanos(1_000 * micros));
        }
    }

    private final SortedMap<String, Long> numbers = new TreeMap<>();

    private Stats(Map<String, Long> numbers) {
        NAMES.forEach(name -> this.numbers.put(name, 0L));
        this.numbers.putAll(numbers);
    }

    /**
     * Makes a snapshot.
     *
     * @param numbers its numbers, named as in {@link #numbers}; one that is missing is 0
     * @return the snapshot
     * @throws IllegalArgumentException if there is no number of such a name; the code after {@code
     *                                  refusals.} is not checked
     */
    public static Stats of(Map<String, Long> numbers) {
        numbers.forEach((name, number) -> {
            Objects.requireNonNull(number, name);
            if (NAMES.contains(name) || DURATIONS.containsKey(name) || name.startsWith(REFUSALS)) return;
            throw new IllegalArgumentException("no number " + name + "; allowed: " + NAMES + ", "
                    + DURATIONS.keySet() + " and " + REFUSALS + "CODE");
        });
        return new Stats(numbers);
    }

    /**
     * Returns what two servers have done together.
     *
     * @param other what the other has done
     * @return the sums, and the longer of the longest turns
     */
    public Stats plus(Stats other) {
        var sum = new HashMap<>(numbers);
        other.numbers.forEach((name, number) ->
                sum.merge(name, number, name.equals("longestTurn") ? Math::max : Long::sum));
        return new Stats(sum);
    }

    /**
     * Returns all numbers that are counted, each named like its method here, as {@code "bytesIn"}; by class
     * of status, as {@code "responses.2xx"}; by code, as {@code "refusals.overload"}; by microseconds, as
     * {@code "durations.64"}. Other times are in nanoseconds.
     *
     * @return the numbers, sorted by name, unmodifiable
     */
    public SortedMap<String, Long> numbers() { return Collections.unmodifiableSortedMap(numbers); }

    /** {@return how many connections are open now} */
    public int connections() { return numbers.get("connections").intValue(); }

    /** {@return how many connections were accepted} */
    public long accepted() { return numbers.get("accepted"); }

    /** {@return how many connections were closed} */
    public long closed() { return numbers.get("closed"); }

    /** {@return how many requests were served or refused: {@link #served} plus {@link #refused}} */
    public long requests() { return served() + refused(); }

    /** {@return how many requests the handler was given, or a subscriber of their body that has failed} */
    public long served() { return numbers.get("served"); }

    /**
     * {@return how many requests were refused, whole or not, before the handler had them. {@link #refusals}
     * also counts requests that the handler had, but has not answered in time or as HTTP allows: {@code
     * handler_timeout}, {@code bad_upgrade}, {@code unframed}}
     */
    public long refused() { return numbers.get("refused"); }

    /** {@return how many connections switched to another protocol, with a 101} */
    public long upgrades() { return numbers.get("upgrades"); }

    /**
     * {@return how many responses were sent completely, refusals included, by the first digit of their
     * status: 2 to 5, each present; unmodifiable}
     */
    public Map<Integer, Long> responses() {
        var responses = new TreeMap<Integer, Long>();
        for (int digit = 2; digit <= 5; digit++) {
            responses.put(digit, numbers.get("responses." + digit + "xx"));
        }
        return Collections.unmodifiableMap(responses);
    }

    /**
     * Returns how long the requests took whose responses {@link #responses} counts, as a histogram: by powers
     * of two of a microsecond, each present, how many took as long or less, but more than the power before.
     * The last, 36 minutes, counts longer ones, too. They are counted where {@link
     * Options#withExchangeListener} has set a listener, even one that does nothing, or the event {@code
     * exchange} is wanted; else all are 0, because to measure them costs time.
     *
     * @return the numbers, unmodifiable
     */
    public SortedMap<Duration, Long> durations() {
        var durations = new TreeMap<Duration, Long>();
        DURATIONS.forEach((name, most) -> durations.put(most, numbers.getOrDefault(name, 0L)));
        return Collections.unmodifiableSortedMap(durations);
    }

    /** {@return the sum of all durations} */
    public Duration totalDuration() { return Duration.ofNanos(numbers.get("totalDuration")); }

    /** {@return how many bytes were read from sockets} */
    public long bytesIn() { return numbers.get("bytesIn"); }

    /** {@return how many bytes were written to sockets} */
    public long bytesOut() { return numbers.get("bytesOut"); }

    /** {@return how many timeouts of idle connections, requests, handlers and slow readers there were} */
    public long timeouts() { return numbers.get("timeouts"); }

    /**
     * Returns how many requests were refused, by the code in the answer and in the log; only codes that
     * occurred. A failed handler refuses nothing, so {@code handler_error} is not among them.
     *
     * @return the numbers, unmodifiable
     */
    public Map<String, Long> refusals() {
        var refusals = new TreeMap<String, Long>();
        numbers.forEach((name, number) -> {
            if (name.startsWith(REFUSALS)) refusals.put(name.substring(REFUSALS.length()), number);
        });
        return Collections.unmodifiableMap(refusals);
    }

    /** {@return the longest time for which a loop served some connections while the others had to wait} */
    public Duration longestTurn() { return Duration.ofNanos(numbers.get("longestTurn")); }

    /** {@return whether the other is a snapshot with the same numbers} */
    @Override
    public boolean equals(Object other) {
        return other instanceof Stats stats && numbers.equals(stats.numbers);
    }

    @Override
    public int hashCode() { return numbers.hashCode(); }

    /** {@return all numbers that are counted, with their names} */
    @Override
    public String toString() { return "Stats" + numbers; }
}
