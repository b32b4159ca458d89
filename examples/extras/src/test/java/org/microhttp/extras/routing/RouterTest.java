package org.microhttp.extras.routing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.security.HostGuard;

/** The routes of a table get the requests that are theirs. */
final class RouterTest {

    private static final Flow.Subscriber<List<ByteBuffer>> RECEIVER =
            BodySubscribers.fromSubscriber(BodySubscribers.discarding());

    private static Responder named(String name) {
        return request -> {
            var values = request.attribute(PathVariables.class).values();
            values.forEach((variable, value) -> assertEquals(value, Router.variable(request, variable)));
            return Response.text(200, name + " " + new TreeMap<>(values));
        };
    }

    /** Gives a body to {@link #RECEIVER}. */
    private static final class Streaming implements Handler {

        @Override
        public void handle(Request request, Consumer<Response> callback) {
            callback.accept(Response.text(200, "streaming"));
        }

        @Override
        public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
            return RECEIVER;
        }
    }

    private static final Router ROUTER = new Router()
            .on("GET", "/", named("root"))
            .on("GET", "/notes/{id}", named("get"))
            .on("GET", "/notes/new", named("new"))
            .on("DELETE", "/notes/{id}", named("delete"))
            .on("HEAD", "/own", named("head"))
            .on("GET", "/own", named("own"))
            .on("OPTIONS", "/own", named("options"))
            .on("POST", "/notes", named("post"))
            .on("POST", "/notes/{id}/files/{name}", new Streaming())
            .on("GET", "/photos/{id}", named("photo"))
            .on("GET", "/photos/{id:number}", named("number"))
            .on("PUT", "/photos/{id:number}", named("put"))
            .on("GET", "/caf%C3%A9", named("coffee"))
            .on("get", "/lower", named("lower"))
            .on("GET", "/folder/", named("folder"))
            .on("GET", "/static/own", named("own route"))
            .below("/static", (request, callback) -> callback.accept(Response.text(200, "" + request)))
            .below("/stat", (request, callback) -> callback.accept(Response.text(200, "other" + request)));

    private static Request request(String method, String uri) {
        return new Request(method, uri, "HTTP/1.1", List.of(), new byte[0]);
    }

    private static Response answer(Handler handler, String method, String uri) {
        var responses = new ArrayList<Response>();
        handler.handle(request(method, uri), responses::add);
        assertEquals(1, responses.size());
        return responses.get(0);
    }

    /** What is wrong stays wrong: only paths that nothing else has are the handler's. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET | /index.html | 200 streaming",
        "POST | /elsewhere | 200 streaming",
        "OPTIONS | /elsewhere | 200 streaming",
        "GET | /notes | 200 notes",
        "POST | /notes | 405 allowed: GET, HEAD, OPTIONS",
        "GET | /static/a | 200 below",
        "GET | /%FF | 400 at position 1 of the path is %FF, which begins no character of UTF-8"})
    void otherwiseHandlerServesUnknownPaths(String method, String uri, String expected) {
        Router router = new Router()
                .on("GET", "/notes", request -> Response.text(200, "notes"))
                .below("/static", Handler.of(request -> Response.text(200, "below")))
                .otherwise(new Streaming());
        Response response = answer(router, method, uri);
        String text = response.status() + " " + new String(response.body().bytes(), UTF_8);
        assertTrue(text.startsWith(expected), text);
        boolean other = expected.endsWith("streaming");
        assertEquals(other, router.receiver(request(method, uri)) == RECEIVER);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET | / | 200 root {}",
        "GET | /?a=/b | 200 root {}",
        "GET | http://x | 200 root {}",
        "GET | http://x/notes/7 | 200 get {id=7}",
        "GET | /notes/7 | 200 get {id=7}",
        "GET | /notes/new | 200 new {}",
        "GET | /notes/%6Eew | 200 new {}",
        "DELETE | /notes/new | 200 delete {id=new}",
        "GET | /notes/a%2Fb%20c | 200 get {id=a/b c}",
        "GET | /notes/.. | 200 get {id=..}",
        "GET | /notes/%2e%2e | 200 get {id=..}",
        "GET | /notes/+ | 200 get {id=+}",
        "GET | /photos/x | 200 photo {id=x}",
        "GET | /photos/0 | 200 number {id=0}",
        "GET | /photos/%30%37 | 200 number {id=07}",
        "GET | /photos/9223372036854775807 | 200 number {id=9223372036854775807}",
        "GET | /photos/9223372036854775808 | 200 photo {id=9223372036854775808}",
        "GET | /photos/-1 | 200 photo {id=-1}",
        "GET | /photos/+1 | 200 photo {id=+1}",
        "GET | /photos/1e3 | 200 photo {id=1e3}",
        "GET | /photos/%D9%A1 | 200 photo {id=\u0661}",
        "PUT | /photos/7 | 200 put {id=7}",
        "PUT | /photos/x | 405 allowed: GET, HEAD, OPTIONS",
        "GET | /caf%c3%a9 | 200 coffee {}",
        "HEAD | /notes/7 | 200 get {id=7}",
        "HEAD | /own | 200 head {}",
        "OPTIONS | /own | 200 options {}",
        "get | /lower | 200 lower {}",
        "GET | /folder/ | 200 folder {}",
        "GET | /folder | 404 nothing has this path",
        "GET | /notes/7/ | 404 nothing has this path",
        "GET | /notes/ | 404 nothing has this path",
        "GET | //notes/7 | 404 nothing has this path",
        "GET | //x/y | 404 nothing has this path",
        "GET | /Notes/7 | 404 nothing has this path",
        "DELETE | /nothing | 404 nothing has this path",
        "OPTIONS | /nothing | 404 nothing has this path",
        "GET | /static/a?b | 200 GET /a?b HTTP/1.1",
        "PUT | /static/b%20c/ | 200 PUT /b%20c/ HTTP/1.1",
        "GET | /static/%2e%2e/a | 404 nothing has this path",
        "GET | /%73tatic/%61 | 200 GET /%61 HTTP/1.1",
        "GET | http://x/static/a?b | 200 GET http://x/a?b HTTP/1.1",
        "GET | /static/ | 200 GET / HTTP/1.1",
        "GET | /static/own | 200 own route {}",
        "GET | /stat/a | 200 otherGET /a HTTP/1.1",
        "GET | /static2 | 404 nothing has this path",
        "GET | /notes/%FF | 400 at position 7 of the path is %FF, which begins no character of UTF-8;"
            + " allowed: whole characters"})
    void aRequestGoesToItsRoute(String method, String uri, String expected) {
        Response response = answer(ROUTER, method, uri);
        assertEquals(expected, response.status() + " " + new String(response.body().bytes()).strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "PUT | /notes/7 | 405 | DELETE, GET, HEAD, OPTIONS",
        "POST | /notes/new | 405 | DELETE, GET, HEAD, OPTIONS",
        "GET | /notes | 405 | OPTIONS, POST",
        "HEAD | /notes | 405 | OPTIONS, POST",
        "GET | /lower | 405 | OPTIONS, get",
        "BREW | / | 405 | GET, HEAD, OPTIONS",
        "OPTIONS | / | 204 | GET, HEAD, OPTIONS",
        "OPTIONS | * | 204 | DELETE, GET, HEAD, OPTIONS, POST, PUT, get",
        "OPTIONS | /notes/7 | 204 | DELETE, GET, HEAD, OPTIONS"})
    void otherMethodsGetAllow(String method, String uri, int status, String allow) {
        Response response = answer(ROUTER, method, uri);
        assertEquals(status, response.status());
        assertEquals(allow, response.header("Allow"));
    }

    @Test
    void eachRouteChoosesItsReceiver() {
        assertSame(RECEIVER, ROUTER.receiver(request("POST", "/notes/7/files/a")));
        for (String uri : List.of("/notes", "/nothing", "/notes/%FF", "/static/a", "/notes/7/files/")) {
            assertNull(ROUTER.receiver(request("POST", uri)), uri);
        }
        assertNull(ROUTER.receiver(request("PUT", "/notes/7/files/a")));
    }

    /** The handler below a prefix decides by its own paths, and gets the attributes of a filter. */
    @Test
    void handlerBelowAPrefixStreamsAndGetsAttributes() {
        Handler inner = new Router().on("POST", "/{name}", new Streaming())
                .on("GET", "/user", (request, callback) ->
                        callback.accept(Response.text(200, request.attribute(String.class))));
        var router = new Router().below("/api", inner);
        Handler filter = (request, callback) ->
                router.handle(request.withAttribute(String.class, "somebody"), callback);
        assertSame(RECEIVER, router.receiver(request("POST", "/api/a?b")));
        for (String uri : List.of("/api", "/api/", "/api/a/b")) {
            assertNull(router.receiver(request("POST", uri)), uri);
        }
        assertEquals("somebody", new String(answer(filter, "GET", "/api/user").body().bytes()));
    }

    /** A check of the host below a prefix sees the host that one around the router sees. */
    @ParameterizedTest
    @CsvSource({"/api/a, x, 404", "/api/a, other, 421", "http://x/api/a, other, 404",
        "http://x:80/api/?b, other, 404", "HTTPS://other/%61pi/a, x, 421"})
    void aHandlerBelowAPrefixGetsTheHost(String target, String field, int status) {
        Handler guard = new HostGuard(new Router(), "x");
        var request = new Request("GET", target, "HTTP/1.1", List.of(new Header("Host", field)), new byte[0]);
        for (Handler handler : List.of(guard, new Router().below("/api", guard))) {
            var statuses = new ArrayList<Integer>();
            handler.handle(request, response -> statuses.add(response.status()));
            assertEquals(List.of(status), statuses);
        }
    }

    /** However the handler is made, also where the router is below a prefix. */
    @Test
    void handlersGetTheNumbersOfTheirPaths() {
        Handler router = new Router()
                .on("GET", "/at/{id:number}", request -> number(request))
                .on("GET", "/plain/{id:number}", (request, callback) -> callback.accept(number(request)))
                .on("GET", "/later/{id:number}", Handler.blocking(Runnable::run, RouterTest::number))
                .on("GET", "/reference/{id:number}", RouterTest::number);
        Handler outer = new Router().below("/api", router);
        for (String route : List.of("at", "plain", "later", "reference")) {
            Response response = answer(outer, "GET", "/api/" + route + "/9223372036854775807");
            assertEquals("9223372036854775807", new String(response.body().bytes()), route);
            assertEquals(404, answer(outer, "GET", "/api/" + route + "/x").status());
        }
    }

    private static Response number(Request request) {
        return Response.text(200, "" + Router.number(request, "id"));
    }

    @Test
    void aVariableThatTheTemplateHasNotIsAMistake() {
        for (String template : List.of("/{id}", "/{other:number}", "/7")) {
            Response response = answer(new Router().on("GET", template, RouterTest::number), "GET", "/7");
            assertInstanceOf(IllegalStateException.class, response.failure(), template);
        }
        assertThrows(IllegalStateException.class, () -> Router.variable(request("GET", "/7"), "id"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "*", "/{}", "/{a:}", "/{a:text}", "/{:number}", "/{a:number}/{a}",
        "/{a b}", "/{1}", "/x{a}", "/{a}x", "/{a", "/a}", "/{a}/{a}", "/%", "/%FF", "/\u00E9"})
    void aTemplateIsAPath(String template) {
        assertThrows(IllegalArgumentException.class, () -> new Router().on("GET", template, named("x")));
    }

    @Test
    void twoRoutesForTheSameRequestsAreAMistake() {
        Router router = new Router().on("GET", "/a/{b}", named("x")).on("PUT", "/a/{c}", named("x"));
        var refused = assertThrows(IllegalArgumentException.class,
                () -> router.on("GET", "/a/{other}", named("y")));
        assertEquals("there are two routes for GET /a/{other}", refused.getMessage());
        assertEquals("x {c=1}", new String(answer(router, "PUT", "/a/1").body().bytes()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "a", "/a/", "//a", "/a?b", "/%61", "/a b", "/.", "/..", "/a/../b"})
    void aPrefixIsAPathWithoutASlashAtItsEnd(String prefix) {
        assertThrows(IllegalArgumentException.class, () -> new Prefixed(prefix, ROUTER));
    }

    @Test
    void aPrefixThatWouldNeverCountIsAMistake() {
        Router router = new Router().below("/a/b", ROUTER).below("/a", ROUTER);
        for (String prefix : List.of("/a", "/a/b", "/a/c", "/a/b/c")) {
            assertThrows(IllegalArgumentException.class, () -> router.below(prefix, ROUTER), prefix);
        }
        assertEquals(200, answer(router.below("/ab", ROUTER), "GET", "/ab/").status());
    }

    /** Where the handler redirects to, and where that is behind the prefix. */
    @ParameterizedTest
    @CsvSource({"/a/, /static/a/", "/a?b, /static/a?b", "//x/a, //x/a", "https://x/, https://x/", "a, a"})
    void redirectsKeepThePrefix(String location, String expected) {
        var moved = new Response(301, List.of(new Header("Location", location)), new byte[0]);
        var handler = new Prefixed("/static", (request, callback) -> callback.accept(moved));
        assertEquals(expected, answer(handler, "GET", "/static/x").header("Location"));
    }

    @Test
    void filesBelowAPrefixAreFoundAndTheirFoldersRedirectBelowIt(@TempDir Path folder) throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("a b")).resolve("index.html"), "page");
        Files.writeString(folder.resolve("x.css"), "css");
        try (var files = FileHandler.of(folder).withExecutor(Runnable::run).build()) {
            Router router = new Router().below("/static", files);
            Response css = answer(router, "GET", "/static/x.css");
            assertEquals("text/css; charset=utf-8", css.header("Content-Type"));
            Map<String, String> moved = Map.of("/static", "/static/", "/static?a", "/static/?a",
                    "/static/a%20b", "/static/a%20b/", "/static/a%20b?c=d", "/static/a%20b/?c=d");
            moved.forEach((from, to) ->
                    assertEquals(to, answer(router, "GET", from).header("Location"), from));
            assertEquals(200, answer(router, "GET", "/static/a%20b/").status());
            for (String uri : List.of("/static/", "/static//x.css", "/static/../x.css", "/x.css")) {
                assertEquals(404, answer(router, "GET", uri).status(), uri);
            }
            assertEquals(405, answer(router, "POST", "/static/x.css").status());
        }
    }
}
