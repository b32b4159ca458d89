package org.microhttp.extras.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.testing.Tier;

/** What balancers are told by the example {@code HealthHandler}, and what it hands on. */
@Tier.Gate
final class HealthHandlerTest {

    private static final Response OTHER = new Response(202, "Accepted", List.of(), new byte[0]);

    private final HealthHandler health = new HealthHandler("/ready", (request, callback) ->
            callback.accept(OTHER));

    private Response ask(String method, String target) {
        List<Response> answers = new ArrayList<>();
        health.handle(new Request(method, target, "HTTP/1.1", List.of(), new byte[0]), answers::add);
        assertEquals(1, answers.size());
        return answers.get(0);
    }

    private static void assertNotStored(Response response) {
        assertEquals(List.of("no-store"), response.headers().stream()
                .filter(field -> field.name().equals("Cache-Control")).map(Header::value).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void isReadyUntilItLeaves(String method) {
        assertEquals(200, ask(method, "/ready").status());
        assertNotStored(ask(method, "/ready?from=balancer"));
        health.leave();
        assertEquals(503, ask(method, "/ready").status());
        assertNotStored(ask(method, "/ready"));
    }

    @Test
    void otherMethodsAreNotAllowed() {
        Response refused = ask("POST", "/ready");
        assertEquals(405, refused.status());
        assertEquals(true, refused.headers().contains(new Header("Allow", "GET, HEAD")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/ready/", "/Ready", "/%72eady", "/work?/ready"})
    void otherPathsAreHandedOnAlsoWhileItLeaves(String target) {
        assertEquals(OTHER, ask("GET", target));
        health.leave();
        assertEquals(OTHER, ask("GET", target));
    }

    /** A body may be too large for the memory, and only the handler of its path knows who receives it. */
    @Test
    void bodiesGoToTheReceiverOfTheOtherHandler() {
        BodySubscriber<Void> receiver = BodySubscribers.discarding();
        Handler uploads = new Handler() {

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                return receiver;
            }

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                callback.accept(OTHER);
            }
        };
        Handler wrapped = new HealthHandler("/ready", new StatsHandler("/metrics", uploads));
        var request = new Request("PUT", "/upload", "HTTP/1.1", List.of(), new byte[0]);
        assertSame(receiver, wrapped.receiver(request));
    }
}
