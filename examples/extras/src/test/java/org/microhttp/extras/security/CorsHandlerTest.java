package org.microhttp.extras.security;

import static org.junit.jupiter.api.Assertions.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;

/** What a browser is allowed. In a row, "..." stands for "Access-Control-". */
@Tier.Gate
final class CorsHandlerTest {

    private static final Handler NEXT = Handler.of(request ->
            Response.of(200).withHeader("Access-Control-Allow-Origin", "https://of-next.example"));
    private static final CorsPolicy SOME = CorsPolicy.of("https://a.example", "http://b.example:8080", "null")
            .withMethods("GET", "PUT").withHeaders("Content-Type", "X-Y")
            .withExposedHeaders("X-Total", "ETag").withCredentials().withMaxAge(Duration.ofHours(1));

    private static Response handle(CorsPolicy policy, String line) {
        String[] parts = line.replace("...", "Access-Control-").split(" \\| ");
        var fields = List.of(parts).subList(1, parts.length).toArray(String[]::new);
        Request request = Representations.request(parts[0], fields);
        var responses = new ArrayList<Response>();
        var handler = new CorsHandler(NEXT, policy);
        assertNull(handler.receiver(request));
        handler.handle(request, responses::add);
        return responses.get(0);
    }

    /** Compares all fields. */
    private static void expect(CorsPolicy policy, String row) {
        String[] sides = row.split(" => ");
        Response response = handle(policy, sides[0]);
        String fields = response.headers().stream().map(Header::toString).collect(Collectors.joining(" | "))
                .replace("Access-Control-", "...");
        assertEquals(sides[1], response.status() + " " + fields, row);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET => 200 Vary: Origin",
        "GET | Origin: https://a.example => 200 Vary: Origin | ...Allow-Origin: https://a.example"
            + " | ...Allow-Credentials: true | ...Expose-Headers: X-Total, ETag",
        "DELETE | Origin: http://b.example:8080 => 200 Vary: Origin | ...Allow-Origin: http://b.example:8080"
            + " | ...Allow-Credentials: true | ...Expose-Headers: X-Total, ETag",
        "GET | Origin: null => 200 Vary: Origin | ...Allow-Origin: null"
            + " | ...Allow-Credentials: true | ...Expose-Headers: X-Total, ETag",
        "GET | Origin: https://a.example.evil => 200 Vary: Origin",
        "GET | Origin: https://A.example => 200 Vary: Origin",
        "GET | Origin: http://a.example => 200 Vary: Origin",
        "GET | Origin: https://a.example/ => 200 Vary: Origin",
        "GET | Origin: http://b.example => 200 Vary: Origin",
        "GET | Origin: * => 200 Vary: Origin",
        "GET | Origin: https://a.example | Origin: https://a.example => 200 Vary: Origin",
        "OPTIONS | Origin: https://evil.example => 200 Vary: Origin",
        "OPTIONS | ...Request-Method: GET => 200 Vary: Origin"})
    void responseHasTheFieldsOfCors(String row) {
        expect(SOME, row);
    }

    private static final String ALLOWED = " => 204 Vary: Origin | ...Allow-Origin: https://a.example"
            + " | ...Allow-Credentials: true | ...Allow-Methods: GET, PUT"
            + " | ...Allow-Headers: Content-Type, X-Y | ...Max-Age: 3600";

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "GET", "PUT | ...Request-Headers: content-type",
        "PUT | ...Request-Headers: x-y,CONTENT-TYPE",
        "PUT | ...Request-Headers: x-y | ...Request-Headers: , x-y",
        "PUT | ...Request-Headers:", "PUT | ...Request-Private-Network: true"})
    void preflightsThatAreAllowed(String method) {
        expect(SOME, "OPTIONS | Origin: https://a.example | ...Request-Method: " + method + ALLOWED);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "OPTIONS | Origin: https://evil.example | ...Request-Method: PUT",
        "OPTIONS | Origin: https://a.example | ...Request-Method: put",
        "OPTIONS | Origin: https://a.example | ...Request-Method: DELETE",
        "OPTIONS | Origin: https://a.example | ...Request-Method: PUT | ...Request-Method: PUT",
        "OPTIONS | Origin: https://a.example | ...Request-Method:",
        "OPTIONS | Origin: https://a.example | ...Request-Method: PUT | ...Request-Headers: x-y, x-z",
        "OPTIONS | Origin: https://a.example | ...Request-Method: PUT | ...Request-Headers: x-y x-y",
        "OPTIONS | Origin: https://a.example | ...Request-Method: PUT | ...Request-Headers: *"})
    void preflightsThatAreRefused(String request) {
        expect(SOME, request + " => 204 Vary: Origin");
    }

    @Test
    void allOriginsButNullAreAllowed() {
        CorsPolicy all = CorsPolicy.of("*");
        expect(all, "GET | Origin: https://any.example => 200 Vary: Origin | ...Allow-Origin: *");
        expect(all, "GET | Origin: null => 200 Vary: Origin");
        expect(all, "GET | Origin: no origin => 200 Vary: Origin");
        expect(CorsPolicy.of("*", "null"), "GET | Origin: null => 200 Vary: Origin | ...Allow-Origin: *");
        expect(all, "OPTIONS | Origin: moz-extension://1-2 | ...Request-Method: POST => 204 Vary: Origin"
                + " | ...Allow-Origin: * | ...Allow-Methods: GET, HEAD, POST | ...Max-Age: 600");
    }

    @Test
    void failureKeepsItsCause() {
        var cause = new IllegalStateException("on purpose");
        var responses = new ArrayList<Response>();
        new CorsHandler(Handler.of(request -> Response.failed(cause)), SOME)
                .handle(Representations.request("GET", "Origin: null"), responses::add);
        assertSame(cause, responses.get(0).failure());
        assertEquals("null", responses.get(0).header("Access-Control-Allow-Origin"));
    }

    @Test
    void invalidPoliciesAreRefused() {
        List<Supplier<CorsPolicy>> refused = List.of(
                CorsPolicy::of, () -> CorsPolicy.of("a.example"), () -> CorsPolicy.of("*").withCredentials(),
                () -> CorsPolicy.of("*", "https://a.example").withCredentials(),
                () -> CorsPolicy.of("https://a.example/"), () -> CorsPolicy.of("https://*.example"),
                () -> CorsPolicy.of("https://A.example"), () -> CorsPolicy.of("https://a.example:443"),
                () -> CorsPolicy.of("http://a.example:80"), () -> SOME.withMethods("GET, PUT"),
                () -> SOME.withHeaders("*"), () -> SOME.withExposedHeaders(""),
                () -> SOME.withMaxAge(Duration.ofMillis(-1)),
                () -> SOME.withMaxAge(Duration.ofSeconds(86_401)));
        for (Supplier<CorsPolicy> policy : refused) {
            String message = assertThrows(IllegalArgumentException.class, policy::get).getMessage();
            assertTrue(message.contains("; allowed: "), message);
        }
    }
}
