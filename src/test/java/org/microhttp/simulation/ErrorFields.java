package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.*;
import org.microhttp.*;

/** What a program makes of the responses that are the server's own: right, or at times wrong. */
final class ErrorFields implements ErrorHandler {

    /** Whether there is such a hook in a world, and whether it is always right. */
    enum Kind { NONE, RIGHT, ODD }

    /** What is wrong with what is returned. */
    private enum Flaw {
        NONE, EXCEPTION, ERROR, NULL, STATUS, BODY, NAME, VALUE, CONNECTION, LENGTH, CODING
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
    public Response respond(ServerError error) {
        int status = error.status();
        String code = error.code();
        Request request = error.request();
        SimulatedConnection life = world.callers.asking(request);
        if (life == null) {
            world.broken("fields are asked for a response to nobody: " + request.remoteAddress());
            return error.response();
        }
        check(life, status, code, request);
        count++;
        boolean odd = world.conditions.additions().errors() == Kind.ODD && random.nextInt(3) == 0;
        Flaw flaw = odd ? Flaw.values()[random.nextInt(Flaw.values().length)] : Flaw.NONE;
        String value = "%d %s %x %d".formatted(status, code, request.target().hashCode(), count);
        String expected = flaw == Flaw.NONE ? value : null;
        life.promises.ownFields.onCall(new Call(status, code, request.target(), expected));
        world.tally.count("error fields " + flaw);
        life.tell("fields of " + status + " " + code + ", flaw " + flaw);
        return response(flaw, value, life, error);
    }

    private void check(SimulatedConnection life, int status, String code, Request request) {
        life.brokenIf(!life.isOnItsThread(), "fields are asked for on another thread");
        boolean own = code != null && !code.isEmpty() && status >= 400 && status <= 599;
        if (!own) life.broken("fields are asked for " + status + " " + code);
        life.brokenIf(request.body().length > 0, "fields are asked for with a body");
        life.brokenIf(!life.plan.isGreeted(life.read), "fields are asked for who has not told of its client");
    }

    private Response response(Flaw flaw, String value, SimulatedConnection life, ServerError error) {
        Response right = error.response().withAddedHeader(NAME, value).withAddedHeader("Vary", "a")
                .withAddedHeader("vary", "b");
        if (flaw == Flaw.NONE) return right;
        Request request = error.request();
        if (flaw == Flaw.EXCEPTION) {
            throw world.failures.make(life, new IllegalStateException("no fields"), request.method(),
                    request.target());
        }
        if (flaw == Flaw.ERROR) {
            throw world.failures.make(life, new LinkageError("no fields"), request.method(),
                    request.target());
        }
        world.failures.expect();
        return switch (flaw) {
            case STATUS -> Response.text(200, "all is well");
            case BODY -> new Response(error.status(), List.of(), Body.of(ByteBuffer.allocateDirect(1)));
            case NAME -> right.withHeader("X Error", "x");
            case VALUE -> right.withHeader("X-Other", "x\r\nX-More: y");
            case CONNECTION -> right.withHeader("CONNECTION", "upgrade");
            case LENGTH -> right.withHeader("content-length", "0");
            case CODING -> right.withHeader("Transfer-Encoding", "chunked");
            default -> null;
        };
    }
}
