package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.protocol.RequestTarget;
import org.microhttp.protocol.Syntax;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.TestServer;

/** What a handler is given, made by hand or by the server. */
class RequestTest {

    private static final byte[] BODY = {1, 2};

    private final List<Header> headers = new ArrayList<>(List.of(new Header("A", "1"), new Header("b", "Two"),
            new Header("a", "3"), new Header("Empty", "")));
    private final Request request = new Request("GET", "/x", "HTTP/1.1", headers, BODY);

    @Test
    void accessorsReturnTheConstructorsArguments() {
        assertEquals("GET", request.method());
        assertEquals("/x", request.target());
        assertEquals("HTTP/1.1", request.version());
        assertEquals(headers, request.headers());
        assertSame(BODY, request.body());
        assertEquals("GET /x HTTP/1.1", request.toString());
        assertNull(request.remoteAddress());
        assertFalse(request.isAbandoned());
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", delimiter = ' ', value = {"a 1 1,3", "A 1 1,3", "B Two Two", "EMPTY '' ''",
        "c - -", "'' - -"})
    void valuesOfANameAreFoundInAnyCase(String name, String first, String all) {
        assertEquals(first, request.header(name));
        assertEquals(all == null ? List.of() : List.of(all.split(",")), request.values(name));
        assertEquals(first != null, request.hasHeader(name));
        assertThrows(UnsupportedOperationException.class, () -> request.values("a").clear());
    }

    /** The authority of an absolute target wins over Host (RFC 9112 §3.2.2). */
    @ParameterizedTest
    @CsvSource(nullValues = "null", value = {
        "/x, example.com, example.com",
        "/x, Example.com:8080, Example.com:8080",
        "/http://other/x, example.com, example.com",
        "*, example.com, example.com",
        "/x, '', ''",
        "/x, null, null",
        "http://other.org/x, example.com, other.org",
        "http://other.org:81?q=//third, example.com, other.org:81",
        "HTTPS://[::1]:443, null, [::1]:443"})
    void hostIsThatOfTheTargetOrElseOfTheField(String target, String host, String expected) {
        List<Header> fields = host == null ? List.of() : List.of(new Header("host", host));
        assertEquals(expected, new Request("GET", target, "HTTP/1.1", fields, BODY).host());
    }

    @ParameterizedTest
    @CsvSource({"a, 1, true", "a, 3, true", "B, tWO, true", "empty, '', true", "b, T, false", "a, Two, false",
        "c, 1, false"})
    void wholeValueIsFoundInAnyField(String name, String value, boolean found) {
        assertEquals(found, request.hasHeader(name, value));
    }

    @Test
    void headersAreCopied() {
        headers.clear();
        assertEquals(4, request.headers().size());
        assertThrows(UnsupportedOperationException.class, () -> request.headers().clear());
    }

    /** What one copy has changed, others keep; the original stays as it is. */
    @Test
    void copiesChangeOnePropertyAndKeepTheRest() {
        Request copy = request.withAttribute(Integer.class, 1).withTarget("/y?q").withHeader("a", "4")
                .withAttribute(String.class, "user").withHeader("C", "").withAttribute(Integer.class, 2);
        assertEquals("GET /y?q HTTP/1.1", copy.toString());
        assertEquals(List.of("/y?q", "/y", "q"), List.of(copy.target(), copy.path(), copy.query()));
        assertEquals(List.of(headers.get(1), headers.get(3), new Header("a", "4"), new Header("C", "")),
                copy.headers());
        assertThrows(UnsupportedOperationException.class, () -> copy.headers().clear());
        assertSame(BODY, copy.body());
        assertEquals("user", copy.attribute(String.class));
        assertEquals(2, copy.attribute(Integer.class));
        assertNull(copy.attribute(Object.class));
        assertNull(request.attribute(String.class));
        accessorsReturnTheConstructorsArguments();
    }

    /** As {@link RequestTargetTest} has them for the parser. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"GET,``", "GET,x", "GET,*", "GET,/a b", "GET,/\u00e9",
        "GET,`/\t`", "GET,http://u@x/", "GET,`http://a,b/`", "GET,http:///", "CONNECT,x:80", "options,*"})
    void copiesRefuseInvalidTargets(String method, String target) {
        Request made = new Request(method, "/", "HTTP/1.1", List.of(), BODY);
        var refused = assertThrows(IllegalArgumentException.class, () -> made.withTarget(target));
        assertTrue(refused.getMessage().startsWith("target is "), refused.getMessage());
        assertTrue(refused.getMessage().matches("[ -~]+"), refused.getMessage());
    }

    @Test
    void aCopyMayHaveEachTargetThatTheServerTakes() {
        for (String target : List.of("/", "//", "/%zz#|", "http://x", "HTTP://[::1]:80/a@b?c")) {
            assertEquals(target, request.withTarget(target).target());
        }
        Request options = new Request("OPTIONS", "/", "HTTP/1.1", List.of(), BODY);
        assertEquals("*", options.withTarget("*").target());
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void attributesAreOfTheirType() {
        assertThrows(ClassCastException.class, () -> request.withAttribute((Class) Integer.class, "a"));
        assertThrows(NullPointerException.class, () -> request.withAttribute(String.class, null));
        assertThrows(NullPointerException.class, () -> request.withAttribute(null, "a"));
        assertThrows(NullPointerException.class, () -> request.attribute(null));
        assertThrows(NullPointerException.class, () -> request.withTarget(null));
        assertThrows(NullPointerException.class, () -> request.withHeader("a", null));
    }

    @Test
    void handlerGetsTheRequestAsItWasSent() throws Exception {
        var requests = new LinkedBlockingQueue<Request>();
        try (var server = new TestServer((received, callback) -> {
            requests.add(received);
            callback.accept(TestServer.ok(""));
        })) {
            RawClient client = server.connect();
            client.send("POST /a?b HTTP/1.1\r\nHost: x\r\nA:\t v \u00e9 \t\r\nContent-LENGTH: 3"
                    + "\r\nb:\r\n\r\nxyz").expectOk("");
            Request first = requests.take();
            assertEquals("POST /a?b HTTP/1.1", first.toString());
            assertEquals(client.localAddress(), first.remoteAddress());
            assertEquals(List.of(new Header("Host", "x"), new Header("A", "v \u00e9"),
                    new Header("Content-LENGTH", "3"),
                    new Header("b", "")), first.headers());
            assertSame(first.headers(), first.headers());
            assertThrows(UnsupportedOperationException.class, () -> first.headers().clear());
            assertArrayEquals("xyz".getBytes(ISO_8859_1), first.body());
        }
    }

    @Test
    void hasAnEmptyBodyIfNoneWasSent() throws Exception {
        try (var server = new TestServer((received, callback) ->
                callback.accept(TestServer.ok(received.body().length + " " + received.headers().size())))) {
            server.connect().send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                    .expect("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\n0 1")
                    .send("GET / HTTP/1.0\r\n\r\n")
                    .expect("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n0 0");
        }
    }

    @Test
    void splitsFieldLines() {
        List<Header> headers = parsed("A:b\r\nC: \t d e \r\nF:\r\nG:  \r\nh-I: j:k\r\n");
        assertEquals(List.of(new Header("A", "b"), new Header("C", "d e"), new Header("F", ""),
                new Header("G", ""),
                new Header("h-I", "j:k")), headers);
        assertEquals(List.of(), parsed(""));
    }

    /** The fields of a request that was received with these lines. */
    private static List<Header> parsed(String lines) {
        return Inside.request(Exchanges.head(lines), new byte[0], null).headers();
    }

    private static Request of(String target) {
        return new Request("GET", target, "HTTP/1.1", List.of(), new byte[0]);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', nullValues = "-", value = {
        "/ / -", "/a/b /a/b -", "/a?b=c /a b=c", "/? / ''", "/a?b?c#d /a b?c#d", "//a//?x //a// x",
        "/%2F%zz?%3F /%2F%zz %3F", "/a://b/c /a://b/c -", "/?http://x/y / http://x/y", "* * -",
        "http://x / -", "http://x/ / -", "http://x?q / q", "http://x:80/a/b?c /a/b c", "HTTP://x//a //a -",
        "http://x?a/b / a/b", "a+b.c://[::1]:8080/d?e /d e",
        "http://x/a://b /a://b -", "x x -", "?q '' q", "/a#b /a#b -",
        "http://x#f/admin /#f/admin -", "http://x:80#/admin /#/admin -", "http://x#?q/a /# q/a",
        "http://x?q#/a / q#/a", "http://x/a#/b /a#/b -", "x#a://b/c x#a://b/c -"
    })
    void pathAndQueryArePartsOfTheTargetAsSent(String target, String path, String query) {
        assertEquals(path, of(target).path());
        assertEquals(query, of(target).query());
    }

    /** Where the authority ends is what validation says, and the rest is as if it had come without it. */
    @Test
    void absoluteFormHasThePathAndQueryOfTheOriginForm() throws Exception {
        List<String> rests = new ArrayList<>(List.of(""));
        for (int i = 0; i < rests.size() && rests.get(i).length() < 5; i++) {
            for (String next : List.of("/", "?", "#", ":", "a")) {
                rests.add(rests.get(i) + next);
            }
        }
        rests.removeIf(rest -> rest.startsWith(":") || rest.startsWith("a"));
        for (String authority : List.of("x", "x:80", "[::1]:80")) {
            for (String rest : rests) {
                String target = "http://" + authority + rest;
                assertTrue(RequestTarget.isValid("GET", target));
                Matcher validated = Syntax.matcher(RequestTarget.ABSOLUTE, target);
                assertTrue(validated.lookingAt());
                assertEquals(authority, validated.group(1), target);
                Request origin = of(rest.startsWith("/") ? rest : "/" + rest);
                assertEquals(origin.path(), of(target).path(), target);
                assertEquals(origin.query(), of(target).query(), target);
            }
        }
    }

    @Test
    void messageNamesTheArgumentThatIsNull() {
        byte[] body = new byte[0];
        assertNames("method", () -> new Request(null, "/", "HTTP/1.1", List.of(), body));
        assertNames("target", () -> new Request("GET", null, "HTTP/1.1", List.of(), body));
        assertNames("version", () -> new Request("GET", "/", null, List.of(), body));
        assertNames("headers", () -> new Request("GET", "/", "HTTP/1.1", null, body));
        assertNames("body", () -> new Request("GET", "/", "HTTP/1.1", List.of(), null));
        assertNames("reason", () -> new Response(200, null, List.of(), body));
        assertNames("headers", () -> new Response(200, "OK", null, body));
        assertNames("body", () -> new Response(200, "OK", List.of(), (byte[]) null));
        assertNames("name", () -> new Header(null, ""));
        assertNames("value", () -> new Header("N", null));
        assertNames("executor", () -> Handler.blocking(null, request -> null));
        assertNames("responder", () -> Handler.blocking(Runnable::run, null));
        assertNames("responder", () -> Handler.blocking(null));
        assertNames("responder", () -> Handler.of(null));
        assertNames("function", () -> Handler.async(null));
        assertNames("logger", () -> new SystemLogger(null));
        Handler handler = TestServer::echoTarget;
        assertNames("options", () -> new EventLoop(null, handler));
        assertNames("logger", () -> new EventLoop(TestServer.options(), null, handler));
        assertNames("handler", () -> new EventLoop(TestServer.options(), new NoopLogger(), null));
        assertNames("options", () -> new EventLoopGroup(null, handler));
        assertNames("logger", () -> new EventLoopGroup(TestServer.options(), null, handler));
        assertNames("handler", () -> new EventLoopGroup(TestServer.options(), new NoopLogger(), null, 2));
    }

    private static void assertNames(String argument, Executable call) {
        String message = assertThrows(NullPointerException.class, call).getMessage();
        // where it is used at once, the JVM says it
        assertTrue(message.equals(argument) || message.endsWith("\"" + argument + "\" is null"), message);
    }
}
