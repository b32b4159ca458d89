package org.microhttp.simulation;

import java.util.*;

/** What was lived in all. */
final class Tally {

    /** CPU time, in nanoseconds. */
    long cpu;
    long worlds, lives, requests, turns, nanos;
    private final Map<String, Long> counts = new TreeMap<>();

    /** How many connections had how many requests; the last, those that had more. */
    private final long[] requestsOfOne = new long[100];

    void requestsOfOne(int count) {
        requestsOfOne[Math.min(count, requestsOfOne.length - 1)]++;
    }

    /** How many requests a connection had in the median. */
    int median() {
        long left = lives / 2;
        int count = 0;
        while (count < requestsOfOne.length - 1 && left >= requestsOfOne[count]) {
            left -= requestsOfOne[count];
            count++;
        }
        return count;
    }

    void count(String what) {
        counts.merge(what, 1L, Long::sum);
    }

    /** What the door of a world was, and what went before the requests of those that came in. */
    void count(Conditions conditions, List<SimulatedConnection> lives) {
        ListenConditions door = conditions.door();
        if (door.unix()) count("door of the Unix domain");
        if (door.inherited()) count("door inherited");
        if (conditions.limitsRequests()) count("door for some requests");
        if (!door.proxied()) return;
        count("door for proxies");
        for (SimulatedConnection life : lives) {
            if (!life.accepted) continue;
            if (life.stranger) count("stranger");
            if (life.read > 0) count("PROXY header " + life.plan.preface().kind(life.read));
        }
    }

    void answered(int status) {
        count("answer " + status / 100 + "xx");
    }

    void refused(String code) {
        count("own answer " + code);
    }

    void unanswered(String code) {
        count("closed without answer " + code);
    }

    synchronized void add(Tally other) {
        worlds += other.worlds;
        lives += other.lives;
        requests += other.requests;
        turns += other.turns;
        nanos += other.nanos;
        cpu += other.cpu;
        for (int i = 0; i < requestsOfOne.length; i++) {
            requestsOfOne[i] += other.requestsOfOne[i];
        }
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
    }

    /** A line for each kind. */
    String report() {
        var text = new StringBuilder();
        String all = "%,d worlds, %,d connections, %,d requests (%d of one in the median), %,d turns, "
                + "%,d s of time%n";
        text.append(all.formatted(worlds, lives, requests, median(), turns, nanos / 1_000_000_000));
        counts.forEach((what, count) -> text.append("%,14d %s%n".formatted(count, what)));
        return text.toString();
    }
}
