package org.microhttp.simulation;

import java.util.*;
import org.microhttp.*;

/** What a program adds to the responses that the server makes itself: right, or at times wrong. */
final class ErrorFields implements ErrorHeaders {

    /** Whether there is such a hook in a world, and whether it is always right. */
    enum Kind { NONE, RIGHT, ODD }

    /** What is wrong with what is returned. */
    private enum Flaw {
        NONE, EXCEPTION, ERROR, NULL, NULL_FIELD, NAME, VALUE, CONNECTION, LENGTH, CODING
    }

    static final String NAME = "X-Error";

    /**
     * A call, for one response.
     *
     * @param value of the field that was returned; null if what was returned is wrong
     */
    record Call(int status, String code, String target, String value) {

        /** The lines that the response must have more. */
        List<String> lines() {
            return value == null ? List.of() : List.of(NAME + ": " + value, "Vary: a", "vary: b");
        }
    }

    private final World world;
    private final SplittableRandom random;

    /** How many calls there were, so that each returns another value. */
    private int count;

    ErrorFields(World world, SplittableRandom random) {
        this.world = world;
        this.random = random;
    }

    @Override
    public List<Header> of(int status, String code, Request request) {
        Life life = world.callers.asking(request.remoteAddress());
        if (life == null) {
            world.broken("fields are asked for a response to nobody: " + request.remoteAddress());
            return List.of();
        }
        check(life, status, code, request);
        count++;
        boolean odd = world.conditions.additions().errors() == Kind.ODD && random.nextInt(3) == 0;
        Flaw flaw = odd ? Flaw.values()[random.nextInt(Flaw.values().length)] : Flaw.NONE;
        String value = "%d %s %x %d".formatted(status, code, request.uri().hashCode(), count);
        String expected = flaw == Flaw.NONE ? value : null;
        life.promises.ownFields.onCall(new Call(status, code, request.uri(), expected));
        world.tally.count("error fields " + flaw);
        life.tell("fields of " + status + " " + code + ", flaw " + flaw);
        return fields(flaw, value, life, request);
    }

    private void check(Life life, int status, String code, Request request) {
        life.brokenIf(!life.isOnItsThread(), "fields are asked for on another thread");
        boolean own = code != null && !code.isEmpty() && status >= 400 && status <= 599;
        if (!own) life.broken("fields are asked for " + status + " " + code);
        life.brokenIf(request.body().length > 0, "fields are asked for with a body");
        life.brokenIf(!life.plan.isGreeted(life.read), "fields are asked for who has not told of its client");
    }

    private List<Header> fields(Flaw flaw, String value, Life life, Request request) {
        List<Header> fields = new ArrayList<>();
        fields.add(new Header(NAME, value));
        // the response has one
        fields.add(new Header("content-type", "text/another"));
        fields.add(new Header("Vary", "a"));
        fields.add(new Header("vary", "b"));
        if (flaw == Flaw.NONE) return fields;
        if (flaw == Flaw.EXCEPTION) {
            throw world.failures.make(life, new IllegalStateException("no fields"), request.method(),
                    request.uri());
        }
        if (flaw == Flaw.ERROR) {
            throw world.failures.make(life, new LinkageError("no fields"), request.method(), request.uri());
        }
        world.failures.expect();
        if (flaw == Flaw.NULL) return null;
        fields.add(wrong(flaw));
        return fields;
    }

    private static Header wrong(Flaw flaw) {
        return switch (flaw) {
            case NAME -> new Header("X Error", "x");
            case VALUE -> new Header("X-Other", "x\r\nX-More: y");
            case CONNECTION -> new Header("CONNECTION", "close");
            case LENGTH -> new Header("content-length", "0");
            case CODING -> new Header("Transfer-Encoding", "chunked");
            default -> null;
        };
    }
}
