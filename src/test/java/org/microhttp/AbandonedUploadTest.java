package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A handler that has seen the head of an upload, which it does not get to handle, is told once that the
 * request is abandoned, before its subscriber gets the error; never if it gets the request.
 */
class AbandonedUploadTest extends ConnectionFixture {

    private static final String BEGUN = "POST / HTTP/1.1\r\nHost: x\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";

    /** How an upload ends of which three bytes have come. */
    enum End {

        MALFORMED, TOO_LARGE, SLOW, SILENT, NOTHING_REQUESTED, TRUNCATED, RESET, CLOSED, NO_PLACE, COMPLETE;

        void happen(AbandonedUploadTest test) throws IOException {
            ScriptedLoop.Client client = test.client;
            switch (this) {
                case MALFORMED -> client.turn("x\r\n");
                case TOO_LARGE -> client.turn("fff\r\n" + "x".repeat(0xfff) + "\r\n");
                case SLOW -> {
                    for (int i = 0; i < 8; i++) {
                        test.loop.passTime(Duration.ofSeconds(10));
                        client.turn("1;a\r\n".substring(i % 5, i % 5 + 1));
                    }
                }
                case SILENT -> client.timeOut();
                case NOTHING_REQUESTED -> {
                    for (int i = 0; i < 100; i++) {
                        test.loop.passTime(Duration.ofSeconds(10));
                    }
                }
                case TRUNCATED -> client.channel.end();
                case RESET -> client.channel.reset();
                case CLOSED -> client.connection.free();
                case NO_PLACE -> {
                    for (int i = 0; i < 2; i++) {
                        test.loop.connect().turn(get("/later"));
                    }
                    client.turn("0\r\n\r\n");
                }
                case COMPLETE -> client.turn("0\r\n\r\n");
            }
            test.loop.runTasks();
            client.turn();
        }
    }

    /** Where the body goes: to a subscriber that requests all or one list, or to memory. */
    enum Into { SUBSCRIBER, SLOW_SUBSCRIBER, MEMORY }

    private final List<String> told = new ArrayList<>();
    private Request seen;
    private int handled;

    private static List<Arguments> ways() {
        return Stream.of(End.values()).flatMap(end -> Arrays.stream(Into.values())
                .filter(into -> isPossible(end, into)).map(into -> Arguments.of(end, into))).toList();
    }

    private static boolean isPossible(End end, Into into) {
        return switch (end) {
            case NOTHING_REQUESTED -> into == Into.SLOW_SUBSCRIBER;
            case NO_PLACE -> into == Into.MEMORY;
            case RESET, CLOSED -> true;
            default -> into != Into.SLOW_SUBSCRIBER;
        };
    }

    private void serve(Into into) throws IOException {
        var receiver = ScriptedReceiver.requesting(into == Into.SUBSCRIBER ? Long.MAX_VALUE : 1);
        receiver.onEnd = given -> told.add(receiver.error == null ? "complete" : "error");
        var options = new Options().withMaxPendingRequests(2).withMaxRequestSize(2_000)
                .withMaxHeaderSize(1_000).withMaxStreamedSize(2_000)
                .withRequestTimeout(Duration.ofSeconds(60)).withHandlerTimeout(Duration.ofSeconds(90));
        start(options, new Handler() {

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                handled++;
                callback.accept(Response.text(200, "done"));
            }

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                seen = request;
                request.onAbandoned(() -> told.add(request.isAbandoned() ? "abandoned" : "early"));
                return into == Into.MEMORY ? null : receiver;
            }
        });
    }

    @ParameterizedTest
    @MethodSource("ways")
    void isToldOnceIfItIsNotHandled(End end, Into into) throws IOException {
        serve(into);
        client.turn(BEGUN);
        loop.runTasks();
        assertEquals(List.of(), told);
        end.happen(this);
        boolean whole = end == End.COMPLETE;
        assertEquals(whole ? 1 : 0, handled);
        assertEquals(!whole, seen.isAbandoned());
        List<String> expected = new ArrayList<>();
        if (!whole) expected.add("abandoned");
        if (into != Into.MEMORY) expected.add(whole ? "complete" : "error");
        assertEquals(expected, told);
    }
}
