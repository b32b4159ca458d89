package org.microhttp.extras.security;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Handler;
import org.microhttp.Response;
import org.microhttp.testing.*;

/** Which hosts and origins are served, and that the next handler sees nothing of other requests. */
@Tier.Gate
final class HostGuardTest {

    private static final Handler OK = Handler.of(request -> Response.text(200, "ok"));

    /** Sends the lines of a row, each "request line | field | field: status". */
    static void expect(Handler guard, String row) throws IOException {
        int end = row.lastIndexOf(" => ");
        String lines = row.substring(0, end).replace(" | ", "\r\n");
        try (var server = new TestServer(guard); var client = new RawClient(server.port())) {
            RawResponse response = client.send(lines + "\r\n\r\n").response(row.startsWith("HEAD"));
            assertEquals(Integer.parseInt(row.substring(end + 4)), response.status(), row);
            if (response.status() != 200) {
                assertTrue(response.text().matches("(misdirected request|forbidden): .*\n"), response.text());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET / HTTP/1.1 | Host: localhost => 200",
        "GET / HTTP/1.1 | Host: LocalHost:8080 => 200",
        "GET / HTTP/1.1 | Host: localhost. => 200",
        "GET / HTTP/1.1 | Host: localhost.:1 => 200",
        "GET / HTTP/1.1 | Host: localhost: => 200",
        "GET / HTTP/1.1 | Host: 127.0.0.1:65535 => 200",
        "GET / HTTP/1.1 | Host: [::1] => 200",
        "GET / HTTP/1.1 | Host: [::1]:80 => 200",
        "GET / HTTP/1.0 | Host: localhost => 200",
        "GET http://localhost/ HTTP/1.1 | Host: evil.example => 200",
        "GET HTTP://LOCALHOST:1?q HTTP/1.1 | Host: evil.example => 200",
        "GET http://evil.example/ HTTP/1.1 | Host: localhost => 421",
        "GET / HTTP/1.1 | Host: evil.example => 421",
        "GET / HTTP/1.1 | Host: localhost.evil.example => 421",
        "GET / HTTP/1.1 | Host: localhost.. => 421",
        "GET / HTTP/1.1 | Host: evillocalhost => 421",
        "GET / HTTP/1.1 | Host: 127.0.0.2 => 421",
        "GET / HTTP/1.1 | Host: 0.0.0.0 => 421",
        "GET / HTTP/1.1 | Host: [::2] => 421",
        "GET / HTTP/1.1 | Host: [0:0:0:0:0:0:0:1] => 421",
        "GET / HTTP/1.0 => 421",
        "GET / HTTP/1.1 | Host: evil.example | X-Forwarded-Host: localhost => 421",
        "GET / HTTP/1.1 | Host: evil.example | Origin: http://localhost => 421",
        "GET / HTTP/1.1 | Host: localhost | Origin: http://localhost:3000 => 200",
        "GET / HTTP/1.1 | Host: localhost | Origin: https://[::1]:1 => 200",
        "GET / HTTP/1.1 | Host: localhost | Origin: https://app.example.com => 200",
        "GET / HTTP/1.1 | Host: localhost | Origin: https://app.example.com:444 => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: http://app.example.com => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: http://evil.example => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: null => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: chrome-extension://localhost => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: http://localhost@evil.example => 403",
        "GET / HTTP/1.1 | Host: localhost | Origin: http://localhost | Origin: http://evil.example => 403"})
    void localGuardPassesThisMachineAlone(String row) throws IOException {
        expect(HostGuard.local(OK, "https://app.example.com"), row);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET / HTTP/1.1 | Host: www.example.com => 200",
        "GET / HTTP/1.1 | Host: WWW.example.com:99 => 200",
        "GET / HTTP/1.1 | Host: api.example.com:8443 => 200",
        "GET / HTTP/1.1 | Host: api.example.com => 421",
        "GET / HTTP/1.1 | Host: api.example.com:08443 => 421",
        "GET / HTTP/1.1 | Host: api.example.com:443 => 421",
        "GET / HTTP/1.1 | Host: [2001:db8::1]:80 => 200",
        "GET / HTTP/1.1 | Host: [2001:DB8::1] => 421",
        "GET / HTTP/1.1 | Host: example.com => 421",
        "GET / HTTP/1.1 | Host: www.example.com | Origin: http://evil.example => 200"})
    void hostsPassWithAndWithoutPorts(String row) throws IOException {
        expect(new HostGuard(OK, "www.EXAMPLE.com", "api.example.com:8443", "[2001:db8::1]:80"), row);
    }

    /** Nor does it receive a body. */
    @Test
    void refusedRequestsDoNotReachTheNextHandler() throws IOException {
        var seen = new AtomicInteger();
        Handler next = Handler.receiving(request -> {
            seen.incrementAndGet();
            return null;
        }, (request, receiver, callback) -> {
            seen.incrementAndGet();
            callback.accept(Response.text(200, "ok"));
        });
        String post = "POST / HTTP/1.1 | Host: localhost | Content-Length: 1 | Origin: http://";
        expect(HostGuard.local(next), post + "evil.example | X: y\r\n\r\na => 403");
        assertEquals(0, seen.get());
        expect(HostGuard.local(next), post + "localhost | X: y\r\n\r\na => 200");
        assertEquals(2, seen.get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "a.", "a.:1", "a:", "http://a", "a/b", "::1", "[::1", "a b",
        "\u00fc.de"})
    void invalidHostsAreRefused(String host) {
        var refusal =
                assertThrows(IllegalArgumentException.class, () -> new HostGuard(OK, host));
        assertEquals("a host is \"" + host + "\"; allowed: such as localhost, example.com:8080 or [::1]",
                refusal.getMessage());
    }

    @Test
    void aGuardNeedsAHostAndOrigins() {
        assertThrows(IllegalArgumentException.class, () -> new HostGuard(OK));
        assertThrows(IllegalArgumentException.class, () -> HostGuard.local(OK, "example.com"));
        assertThrows(NullPointerException.class, () -> new HostGuard(null, "a"));
    }
}
