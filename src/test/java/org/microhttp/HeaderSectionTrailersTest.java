package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Field names, in any case, that may stand behind a body, and that may not (RFC 9110 §6.5.1). */
class HeaderSectionTrailersTest {

    /** The name between what would make it a forbidden one, which is not to be looked at. */
    private static boolean isForbidden(String name) {
        byte[] bytes = ("If-" + name + "-cookie").getBytes(ISO_8859_1);
        return !HeaderSection.isTrailer(bytes, 3, 3 + name.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        // framing
        "Content-Length", "Transfer-Encoding", "Trailer", "TE",
        // routing, and what is between two hops
        "Host", "Connection", "Proxy-Connection", "Keep-Alive", "Upgrade", "Forwarded", "X-Forwarded-For",
        "X-Forwarded-Proto", "Max-Forwards",
        // modifiers of a request
        "Cache-Control", "Expect", "Pragma", "Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "If-Range",
        // authentication and state
        "Authorization", "Proxy-Authorization", "WWW-Authenticate", "Proxy-Authenticate", "Cookie",
        "Set-Cookie",
        // control of a response
        "Age", "Date", "Expires", "Location", "Retry-After", "Vary", "Warning",
        // how to read the body
        "Content-Type", "Content-Encoding", "Content-Range", "Content-Language", "Content-Location",
        // the shortest of their kind
        "If-", "X-Forwarded-",
    })
    void mayNotStandThere(String name) {
        assertTrue(isForbidden(name));
        assertTrue(isForbidden(name.toLowerCase(Locale.ROOT)));
        assertTrue(isForbidden(name.toUpperCase(Locale.ROOT)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Digest", "ETag", "Server-Timing", "Content-MD5", "X-Checksum", "grpc-status",
        "Hos", "Hosts", "Xhost", "T", "Tee", "I", "If", "Iff-Match", "X-If-Match", "X-Forwarded", "Cooki",
        "Cookies", "Content", "Content-Lengths", "Authorizations", "Connections", "Authenticated"})
    void mayStandThere(String name) {
        assertFalse(isForbidden(name));
        assertFalse(isForbidden(name.toUpperCase(Locale.ROOT)));
    }
}
