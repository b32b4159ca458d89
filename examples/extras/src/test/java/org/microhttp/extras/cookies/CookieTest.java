package org.microhttp.extras.cookies;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.*;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Handler;
import org.microhttp.Response;
import org.microhttp.extras.cookies.Cookie.SameSite;
import org.microhttp.testing.*;

/** Cookies that are set: their text, what is refused, and what curl does with them. */
@Tier.Gate
final class CookieTest {

    private static final Cookie PLAIN = Cookie.of("a", "b").withPath(null).withSameSite(null);
    private static final Cookie BARE = PLAIN.withoutSecure().withoutHttpOnly();
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    private static String text(Cookie cookie) {
        return cookie.addTo(Response.of(200)).header("Set-Cookie");
    }

    @Test
    void attributesHaveTheirTexts() {
        Map<Cookie, String> texts = new LinkedHashMap<>();
        texts.put(Cookie.of("a", "b"), "a=b; Path=/; Secure; HttpOnly; SameSite=Lax");
        texts.put(PLAIN, "a=b; Secure; HttpOnly");
        texts.put(BARE, "a=b");
        texts.put(BARE.withPath("/x+y"), "a=b; Path=/x+y");
        texts.put(BARE.withDomain("Example.com"), "a=b; Domain=Example.com");
        texts.put(BARE.withMaxAge(Duration.ofMillis(1999)), "a=b; Max-Age=1");
        texts.put(BARE.withExpires(TIME), "a=b; Expires=Fri, 02 Jan 2026 03:04:05 GMT");
        texts.put(BARE.withSameSite(SameSite.STRICT), "a=b; SameSite=Strict");
        texts.put(PLAIN.withSameSite(SameSite.NONE).withPartitioned(),
                "a=b; Secure; HttpOnly; SameSite=None; Partitioned");
        texts.put(BARE.withPath("/x").withDomain("x.de").withMaxAge(Duration.ofDays(1)).deleted(),
                "a=; Path=/x; Domain=x.de; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        texts.put(Cookie.of("a", "").withPath(null), "a=; Secure; HttpOnly; SameSite=Lax");
        texts.put(Cookie.of("a", "\"b=c\"").withPath(null).withSameSite(null), "a=\"b=c\"; Secure; HttpOnly");
        texts.put(Cookie.of("__HOST-Http-a", "b"),
                "__HOST-Http-a=b; Path=/; Secure; HttpOnly; SameSite=Lax");
        texts.forEach((cookie, text) -> assertEquals(text, text(cookie)));
        assertEquals("a=...; Path=/; Secure; HttpOnly; SameSite=Lax", Cookie.of("a", "secret").toString());
    }

    @Test
    void othersStay() {
        Response response = Cookie.of("c", "d").addTo(PLAIN.addTo(Response.of(200)));
        assertEquals(2, response.headers().stream().filter(h -> h.name().equals("Set-Cookie")).count());
    }

    /** As large as may be; one byte more is refused below. */
    @Test
    void limitsAreAllowed() {
        Cookie.of("n".repeat(96), "v".repeat(4000));
        PLAIN.withPath("/" + "p".repeat(1023)).withMaxAge(Duration.ofSeconds(1));
        PLAIN.withDomain(("d".repeat(63) + ".").repeat(3) + "e".repeat(61));
        PLAIN.withExpires(Instant.parse("1601-01-01T00:00:00Z"))
                .withExpires(Instant.parse("9999-12-31T23:59:59Z"));
        Cookie.of("__Secure-a", "b").withDomain("example.com").withPath("/x").withoutHttpOnly();
        Cookie.of("__Host-a", "b").withoutHttpOnly();
    }

    @Test
    void invalidCookiesAreRefused() {
        for (String name : List.of("", " a", "a b", "a=b", "a;", "a,b", "\"a\"", "a\t", "\u00e4", "a\n")) {
            refused("a name is \"", () -> Cookie.of(name, ""));
        }
        for (String value : List.of(" a", "a b", "a;b", "a,b", "a\\b", "\"", "\"a", "a\"", "a\"b", "\u00e4",
                "\r")) {
            refused("the value of a has characters", () -> Cookie.of("a", value));
        }
        refused("name and value have 4097 bytes; allowed: 4096", () -> Cookie.of("n", "v".repeat(4096)));
        for (String path : List.of("", "a", "/a;b", "/a b", "/\u00e4", "/\n", "/" + "p".repeat(1024))) {
            refused("the path of a is \"", () -> PLAIN.withPath(path));
        }
        for (String domain : List.of("", ".a.de", "a.de.", "a..de", "-a.de", "a-.de", "a.de:80", "a;b",
                "[::1]", "d.".repeat(127) + "e")) {
            refused("the domain of a is \"", () -> PLAIN.withDomain(domain));
        }
        refused("maxAge is PT0S; allowed: 1 s or more", () -> PLAIN.withMaxAge(Duration.ZERO));
        refused("maxAge is PT-1S; allowed: 1 s or more", () -> PLAIN.withMaxAge(Duration.ofSeconds(-1)));
        refused("expires is 1600", () -> PLAIN.withExpires(Instant.parse("1600-12-31T23:59:59Z")));
        refused("expires is +10000", () -> PLAIN.withExpires(Instant.parse("+10000-01-01T00:00:00Z")));
        refused("SameSite=None is not secure", () -> BARE.withSameSite(SameSite.NONE));
        refused("SameSite=None is not secure", () -> PLAIN.withSameSite(SameSite.NONE).withoutSecure());
        refused("a partitioned cookie is not secure", BARE::withPartitioned);
        for (String name : List.of("__Secure-a", "__secure-a", "__SeCuRe-a", "__Host-a", "__hOST-a",
                "__http-a")) {
            refused(name + " is not secure", () -> Cookie.of(name, "b").withoutSecure());
        }
        for (String name : List.of("__Host-a", "__HOST-a", "__host-http-a")) {
            refused(name + " has a domain or a path", () -> Cookie.of(name, "b").withDomain("example.com"));
            refused(name + " has a domain or a path", () -> Cookie.of(name, "b").withPath("/a"));
            refused(name + " has a domain or a path", () -> Cookie.of(name, "b").withPath(null));
        }
        refused("__Http-a is for scripts", () -> Cookie.of("__Http-a", "b").withoutHttpOnly());
        assertThrows(NullPointerException.class, () -> Cookie.of(null, ""));
        assertThrows(NullPointerException.class, () -> Cookie.of("a", null));
    }

    private static void refused(String message, Supplier<Cookie> made) {
        String refusal = assertThrows(IllegalArgumentException.class, made::get).getMessage();
        assertTrue(refusal.startsWith(message) && refusal.contains("; allowed: "), refusal);
    }

    @Test
    void curlKeepsSendsAndDeletesThem(@TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(Programs.isInstalled("curl"));
        Cookie kept = Cookie.of("kept", "\"1=2\"").withMaxAge(Duration.ofDays(1)).withoutSecure();
        Cookie other = Cookie.of("other", "x").withoutSecure().withPath("/set");
        Handler handler = Handler.of(request -> {
            Cookies cookies = Cookies.of(request);
            Response response = Response.text(200, cookies.get("kept", "none") + cookies.all("other"));
            return switch (request.path()) {
                case "/set" -> other.addTo(kept.addTo(response));
                case "/delete" -> kept.deleted().addTo(response);
                default -> response;
            };
        });
        try (var server = new TestServer(handler)) {
            String jar = folder.resolve("jar").toString();
            var answers = new StringBuilder();
            for (String path : List.of("/set", "/set", "/", "/delete", "/")) {
                String url = "http://127.0.0.1:" + server.port() + path;
                answers.append(Programs.run(0, "curl", "-sS", "-b", jar, "-c", jar, url)).append(' ');
            }
            assertEquals("none[] \"1=2\"[x] \"1=2\"[] \"1=2\"[] none[] ", answers.toString());
        }
    }
}
