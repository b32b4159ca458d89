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

/** Which requests of which pages pass, and that the next handler sees nothing of others. */
@Tier.Gate
final class CrossSiteGuardTest {

    private static final String APP = "https://app.example.com";

    private final AtomicInteger seen = new AtomicInteger();

    /** Counts the bodies that it is asked for, and the requests. */
    private final Handler next = Handler.receiving(request -> {
        seen.incrementAndGet();
        return null;
    }, (request, received, callback) -> {
        seen.incrementAndGet();
        callback.accept(Response.text(200, "ok"));
    });

    @ParameterizedTest
    @ValueSource(strings = {
        "GET | Host: x | Sec-Fetch-Site: cross-site | Origin: http://y => 200",
        "HEAD | Host: x | Origin: null => 200",
        "OPTIONS | Host: x | Sec-Fetch-Site: cross-site => 200",
        "get | Host: x | Sec-Fetch-Site: cross-site => 403",
        "PUT | Host: x | Sec-Fetch-Site: cross-site => 403",
        "DELETE | Host: x | Origin: http://y => 403",
        "POST | Host: x => 200",
        "POST | Host: x | Referer: http://y/ | Cookie: a=b => 200"})
    void methodDecides(String row) throws IOException {
        expect(row);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Host: x | Sec-Fetch-Site: same-origin => 200",
        "Host: x | sec-fetch-site: none => 200",
        "Host: x | Sec-Fetch-Site: same-origin | Origin: http://y => 200",
        "Host: x | Sec-Fetch-Site: same-origin | Sec-Fetch-Site: none => 200",
        "Host: x | Sec-Fetch-Site: cross-site => 403",
        "Host: x | Sec-Fetch-Site: same-site => 403",
        "Host: x | Sec-Fetch-Site: cross-site | Origin: http://x => 403",
        "Host: x | Sec-Fetch-Site: Same-Origin => 403",
        "Host: x | Sec-Fetch-Site: => 403",
        "Host: x | Sec-Fetch-Site: same-origin, none => 403",
        "Host: x | Sec-Fetch-Site: none | Sec-Fetch-Site: cross-site => 403"})
    void secFetchSiteDecides(String row) throws IOException {
        expect("POST | " + row);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Host: x | Origin: http://x => 200",
        "Host: x | Origin: https://x => 200",
        "Host: X | Origin: HTTPS://x => 200",
        "Host: x:8080 | Origin: http://X:8080 => 200",
        "Host: x:443 | Origin: https://x => 200",
        "Host: x | Origin: http://x:80 => 200",
        "Host: [::1]:81 | Origin: http://[::1]:81 => 200",
        "Host: [2001:db8::80] | Origin: https://[2001:DB8::80] => 200",
        "Host: x. | Origin: http://x. => 200",
        "Host: x | Origin: http://x | Origin: https://x => 200",
        "Host: x | Origin: http://y => 403",
        "Host: x | Origin: null => 403",
        "Host: null | Origin: null => 403",
        "Host: x | Origin: => 403",
        "Host: x | Origin: x => 403",
        "Host: x | Origin: //x => 403",
        "Host: x | Origin: http://x/ => 403",
        "Host: x | Origin: http://x:81 => 403",
        "Host: x:81 | Origin: http://x => 403",
        "Host: x:443 | Origin: http://x => 403",
        "Host: x:80 | Origin: https://x => 403",
        "Host: x | Origin: http://y.x => 403",
        "Host: x | Origin: http://x.y => 403",
        "Host: x | Origin: http://x@y => 403",
        "Host: x | Origin: http://y@x => 403",
        "Host: x | Origin: http://y#x => 403",
        "Host: x | Origin: http://y?http://x => 403",
        "Host: x | Origin: http://x http://y => 403",
        "Host: x | Origin: http://x, http://y => 403",
        "Host: x | Origin: http://x | Origin: http://y => 403",
        "Host: x | Origin: http://x | Origin: null => 403",
        "Host: x | Origin: ftp://x => 403",
        "Host: x | Origin: chrome-extension://x => 403",
        "Host: x | Origin: https-x://x => 403",
        "Host: [::1] | Origin: http://[::2] => 403",
        "Host: [::80] | Origin: http://[::] => 403",
        "Host: [::1] | Origin: http://::1 => 403",
        "Host: y | X-Forwarded-Host: x | Origin: http://x => 403"})
    void originDecides(String row) throws IOException {
        expect("POST | " + row);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "Host: x | Origin: https://app.example.com => 200",
        "Host: x | Sec-Fetch-Site: cross-site | Origin: https://app.example.com => 200",
        "Host: x | Origin: https://app.example.com | Origin: http://x => 200",
        "Host: x | Sec-Fetch-Site: cross-site | Origin: https://app.example.com | Origin: http://x => 403",
        "Host: x | Origin: https://app.example.com | Origin: http://y => 403",
        "Host: x | Origin: http://app.example.com => 403",
        "Host: x | Origin: https://app.example.com:444 => 403",
        "Host: x | Origin: https://app.example.com.y => 403"})
    void trustedOriginsArePassed(String row) throws IOException {
        expect("POST | " + row);
    }

    /** Sends a row of a method and fields. */
    private void expect(String row) throws IOException {
        HostGuardTest.expect(new CrossSiteGuard(next, APP), row.replaceFirst(" ", " / HTTP/1.1 "));
        assertEquals(row.endsWith("200") ? 1 : 0, seen.get());
    }

    /** The host is that of the target, if the target has one; HTTP/1.0 may have none. */
    @Test
    void theHostOfTheTargetDecides() throws IOException {
        for (String row : new String[] {
            "POST http://x/ HTTP/1.1 | Host: y | Origin: http://x => 200",
            "POST http://x/ HTTP/1.1 | Host: y | Origin: http://y => 403",
            "POST / HTTP/1.0 | Origin: http://x => 403",
            "POST / HTTP/1.0 | A: b => 200"}) {
            HostGuardTest.expect(new CrossSiteGuard(next), row);
        }
    }

    /** The client has not sent the body when it is refused, whether it is streamed or kept. */
    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 4", "Transfer-Encoding: chunked",
        "Content-Length: 4\r\nExpect: 100-continue"})
    void aBodyIsRefusedBeforeItComes(String framing) throws IOException {
        try (var server = new TestServer(new CrossSiteGuard(next)); RawClient client = server.connect()) {
            String fields = "Host: x\r\n" + framing + "\r\nOrigin: http://y\r\n\r\n";
            RawResponse refused = client.send("POST / HTTP/1.1\r\n" + fields).response();
            assertEquals(403, refused.status());
            assertTrue(refused.closes());
            assertEquals(0, seen.get());
            assertEquals(0, server.log.count("handler_error"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "null", "app.example.com", "https://a/", "https://a:443", "HTTPS://a",
        "https://a@b"})
    void otherOriginsCannotBeTrusted(String origin) {
        var refusal = assertThrows(IllegalArgumentException.class,
                () -> new CrossSiteGuard(next, APP, origin));
        assertEquals("an origin is \"" + origin + "\"; allowed: as a browser sends it, such as"
                + " https://example.com", refusal.getMessage());
        assertThrows(NullPointerException.class, () -> new CrossSiteGuard(null));
    }
}
