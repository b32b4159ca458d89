package org.microhttp.simulation;

import java.util.Arrays;
import java.util.Map;
import org.microhttp.Stats;

/** What a server has counted, and its log has told, held at the end to what was seen, and to each other. */
final class StatsCheck {

    private final World world;
    private final Conditions conditions;
    private final Stats stats;

    StatsCheck(World world, Stats stats) {
        this.world = world;
        this.stats = stats;
        conditions = world.conditions;
    }

    /** Of a world without faults. */
    void check(int accepted) {
        // what loops hand to each other while all of them end is closed before it is a connection
        boolean lost = world.isEndedAtOnce() && conditions.loops() > 1 && stats.accepted() < accepted;
        if (!lost) check("accepted", stats.accepted(), accepted);
        check("closed", stats.closed(), stats.accepted());
        check("connections", stats.connections(), 0);
        long read = 0;
        long written = 0;
        long handed = 0;
        for (SimulatedConnection life : world.lives) {
            read += life.read;
            written += life.written;
            handed += life.promises.handed;
        }
        check("bytesIn", stats.bytesIn(), read);
        check("bytesOut", stats.bytesOut(), written);
        if (!conditions.limitsPending()) check("served", stats.served(), handed);
        check("longestTurn", stats.longestTurn().toNanos(), world.looks.longest());
        checkResponses();
        checkPrefaces();
        if (conditions.logged()) checkLog(world.events);
    }

    private void checkResponses() {
        var seen = new long[6];
        long unseen = 0;
        // a refusal of which some is unsent may look whole, where nobody knows whether it has a body
        long partial = 0;
        for (SimulatedConnection life : world.lives) {
            Promises promises = life.promises;
            // switches to another protocol are counted elsewhere
            for (int i = 2; i < seen.length; i++) {
                seen[i] += promises.answers[i];
            }
            boolean sure = !promises.isStreaming() && promises.isAllSent() && !promises.failed
                    && !promises.isVague();
            int whole = Math.max(promises.handed, life.plan.whole(life.read));
            if (sure) continue;
            unseen += 1 + Math.max(0, whole - promises.finished);
            if (conditions.limitsBytes() || world.isEnding()) partial++;
        }
        for (Map.Entry<Integer, Long> entry : stats.responses().entrySet()) {
            long more = entry.getValue() - seen[entry.getKey()];
            if (more < -partial || more > unseen) {
                world.broken("stats has " + entry + " answers, seen were " + seen[entry.getKey()]);
            }
        }
        long all = sum(stats.responses()) - Arrays.stream(seen).sum();
        if (all < -partial || all > unseen) world.broken("stats has " + all + " answers that were not seen");
    }

    /** Those whose header is wrong, if they were not closed for another reason just then. */
    private void checkPrefaces() {
        long sure = 0;
        long perhaps = 0;
        for (SimulatedConnection life : world.lives) {
            if (!"bad_proxy_header".equals(life.plan.preface().code())) continue;
            if (life.reasons.contains("bad_proxy_header")) sure++;
            if (life.read >= life.plan.preface().flawAt()) perhaps++;
        }
        long counted = stats.refusals().getOrDefault("bad_proxy_header", 0L);
        boolean wrong = counted < sure || counted > perhaps;
        if (wrong) world.broken(counted + " bad headers, not " + sure + " to " + perhaps);
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private void checkLog(EventCheck log) {
        check("durations", sum(stats.durations()), sum(stats.responses()));
        check("events of accept", log.count("accept"), stats.accepted());
        check("events of close", log.count("close"), stats.closed());
        check("events of read_request", log.count("read_request"), stats.served() + log.count("overload"));
        check("events of write_response", log.count("write_response"), sum(stats.responses()) + log.upgrades);
        long timeouts = log.count("socket_timeout") + log.count("request_timeout")
                + log.count("handler_timeout");
        check("events of timeouts", timeouts, stats.timeouts());
        long overloads = log.count("overload");
        check("refusals", sum(stats.refusals()), sum(log.refusals()) + overloads);
        // a body too large for memory, of which nobody can be asked who receives it, is refused as overload
        stats.refusals().forEach((code, count) -> check("refusals of " + code, count,
                log.refusals().getOrDefault(code, 0L) + (code.equals("overload") ? overloads : 0)));
        check("events of listen", log.count("listen"), conditions.listeners());
        check("events of leave", log.count("leave"), world.leaving ? conditions.loops() : 0);
        int givenUp = world.ending.hasGivenUp() ? conditions.loops() : 0;
        check("events of leave_timeout", log.count("leave_timeout"), givenUp);
        long strangers = world.lives.stream().filter(life -> life.stranger && life.accepted).count();
        world.brokenIf(log.count("untrusted") + log.count("accept_error") < strangers,
                "strangers are sent away without a word");
        long paused = log.count("accept_pause") - log.count("accept_resume");
        world.brokenIf(paused < 0 || paused > conditions.loops(), "accept_pause without accept_resume");
        long ends = world.lives.stream().filter(life -> life.promises.endSeen).count();
        check("events of read_close", log.count("read_close"), ends);
        check("events of loop_interrupt", log.count("loop_interrupt"), world.interrupted ? 1 : 0);
        checkHandler(log);
    }

    private void checkHandler(EventCheck log) {
        var handling = world.handling;
        long failed = world.lives.stream().mapToLong(life -> life.promises.failedBody.count()).sum();
        long more = log.count("body_error") - failed;
        boolean known = more >= 0 && more <= world.lending.failedStreams();
        if (!known) world.broken("events of body_error at the end: " + more + " more than " + failed);
        check("events of handler_interrupt", log.count("handler_interrupt"), handling.interrupts);
        long answers = log.count("response_ready") + log.count("response_ready_error")
                + log.count("response_ignored") + log.count("response_late");
        // of a first response that says that the handler has failed, only that is logged
        int plain = handling.calls - handling.failures;
        boolean wrong = answers > handling.calls || answers < plain || log.count("response_ready") > plain;
        if (wrong && conditions.loops() == 1) {
            world.broken("events of answers: " + answers + " of " + handling.calls + " calls");
        }
    }

    private void check(String what, long is, long should) {
        if (is != should) world.broken(what + " at the end: " + is + ", not " + should);
    }
}
