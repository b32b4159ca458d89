package org.microhttp.checks.faults.chaos;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.microhttp.Body;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.ServerError;
import org.microhttp.testing.RawResponse;

/**
 * What one server owes its program: it releases each body once, ends each subscription, calls who listens
 * for abandoned requests at most once and never if there is an answer, and adds the fields of a hook to its
 * own responses.
 */
final class ChaosApi {

    private static final String FIELD = "Error-Code";

    private final ChaosLedger ledger;
    private final AtomicInteger unreleased = new AtomicInteger();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final Set<Long> abandoned = ConcurrentHashMap.newKeySet();

    ChaosApi(ChaosLedger ledger) {
        this.ledger = ledger;
    }

    /** A body that has to be released once. */
    Body counted(Body body) {
        unreleased.incrementAndGet();
        var released = new AtomicInteger();
        return body.onReleased(() -> {
            unreleased.decrementAndGet();
            ledger.check(released.incrementAndGet() == 1, "bodies", "one is released twice");
        });
    }

    /** A body is subscribed to: that has to end. */
    void onSubscribe() {
        subscriptions.incrementAndGet();
    }

    /** It has ended, in whatever way. */
    void onEnd() {
        subscriptions.decrementAndGet();
    }

    void check(boolean kept, String promise) {
        ledger.check(kept, "streams", promise);
    }

    /** Has itself told when that request is abandoned. */
    void listen(Request request, long id) {
        request.onAbandoned(() -> {
            ledger.check(request.isAbandoned(), "abandoned", "told too early");
            ledger.check(abandoned.add(id), "abandoned", "told twice of " + request);
        });
    }

    /** Whether it was told that the request of this number is abandoned. */
    boolean isAbandoned(long id) {
        return abandoned.contains(id);
    }

    /** The hook. Now and then it fails. */
    static Response withField(ServerError error) {
        String target = error.request().target();
        if (fails(target)) {
            throw new IllegalStateException("on purpose");
        }
        String value = error.status() + " " + error.code() + " of " + target + ".";
        return error.response().withHeader(FIELD, value);
    }

    private static boolean fails(String target) {
        return target.hashCode() % 16 == 1;
    }

    /**
     * Whether a response of the server's own has the field of the hook, and another has none. A request that
     * is refused for want of memory may have been refused before its target was read.
     */
    static boolean hasItsField(RawResponse response, String target, boolean own, boolean toHead) {
        String value = response.header(FIELD);
        if (!own) return value == null;
        if (value == null) return fails(target);
        String code = toHead ? "\\w+" : response.code();
        boolean known = value.endsWith(" of " + target + ".") && !fails(target);
        boolean early = value.matches("503 out_of_buffers of \\.");
        return value.startsWith(response.status() + " ") && value.matches("\\d+ " + code + " of .*")
                && (known || early);
    }

    /** When every response has been given. */
    void end() {
        int left = unreleased.get();
        ledger.check(left == 0, "bodies", left + " are not released at the end");
        int open = subscriptions.get();
        ledger.check(open == 0, "streams", open + " have not ended at the end");
    }
}
