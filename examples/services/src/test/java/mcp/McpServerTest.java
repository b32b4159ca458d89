package mcp;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import json.JsonReader;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;
import org.microhttp.wire.model.RandomCases;

/** The Model Context Protocol, by the JDK's client: its rules in this JVM, the program's end as a process. */
@Tier.Program
final class McpServerTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final String ACCEPT = "application/json, text/event-stream";
    private static final String NEWEST = "2025-11-25";
    private static final String INITIALIZE = "{'jsonrpc':'2.0','id':0,'method':'initialize','params':"
            + "{'protocolVersion':'2025-11-25','capabilities':{},'clientInfo':{'name':'c','version':'1'}}}";
    private static final String PING = "{'jsonrpc':'2.0','id':1,'method':'ping'}";

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses("mcp.McpServer");

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private TestServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        var tools = new TreeMap<>(McpServer.TOOLS);
        tools.put("endless", new Tool("Reports progress until it is ended.", Map.of(), this::endless));
        tools.put("fast", new Tool("Reports progress at once.", Map.of("to", 100_000L), this::fast));
        tools.put("failing", new Tool("Fails.", Map.of("error", 1L), (arguments, call) -> {
            if (arguments.get("error") == 1) {
                throw new StackOverflowError("too deep");
            }
            throw new IOException("no disk");
        }));
        server = new TestServer(McpHandler.of(tools));
        port = server.port();
    }

    private Object endless(Map<String, Long> arguments, Call call) {
        try {
            for (int i = 0; ; i++) {
                call.progress(i, Integer.MAX_VALUE);
                started.countDown();
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            return "a result that nobody gets";
        } finally {
            ended.countDown();
        }
    }

    private Object fast(Map<String, Long> arguments, Call call) {
        started.countDown();
        for (long i = 1; i <= arguments.get("to"); i++) {
            call.progress(i, arguments.get("to"));
        }
        ended.countDown();
        return "done";
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private HttpRequest.Builder request(String session) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mcp"))
                .setHeader("Accept", ACCEPT).timeout(java.time.Duration.ofSeconds(30));
        return session == null ? request : request.setHeader("Mcp-Session-Id", session);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder message(String session, String message) {
        return request(session).POST(BodyPublishers.ofString(message.replace('\'', '"')));
    }

    private HttpResponse<String> post(String session, String message) throws Exception {
        return send(message(session, message));
    }

    private String open() throws Exception {
        return post(null, INITIALIZE).headers().firstValue("Mcp-Session-Id").orElseThrow();
    }

    private static String call(String id, String tool, String arguments, String token) {
        return "{'jsonrpc':'2.0','id':" + id + ",'method':'tools/call','params':{'name':'" + tool
                + "','arguments':" + arguments + ",'_meta':{'progressToken':" + token + "}}}";
    }

    private static Map<?, ?> object(String json) {
        return (Map<?, ?>) JsonReader.read(json);
    }

    /** The data of the events of a stream. */
    private static List<Map<?, ?>> events(String stream) {
        return Stream.of(stream.split("\n\n")).filter(event -> event.startsWith("data: "))
                .<Map<?, ?>>map(event -> object(event.substring("data: ".length()))).toList();
    }

    private static Object progress(Map<?, ?> event) {
        return ((Map<?, ?>) event.get("params")).get("progress");
    }

    /** Of the last event. */
    private static Map<?, ?> result(String stream) {
        List<Map<?, ?>> events = events(stream);
        return (Map<?, ?>) events.get(events.size() - 1).get("result");
    }

    private static String text(Map<?, ?> result) {
        return "" + ((Map<?, ?>) ((List<?>) result.get("content")).get(0)).get("text");
    }

    private static String bytes(String session, String message) {
        return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: " + ACCEPT + "\r\nMcp-Session-Id: " + session
                + "\r\nContent-Length: " + message.length() + "\r\n\r\n" + message.replace('\'', '"');
    }

    /** A call whose stream is the last on its connection. */
    private RawClient call(String session, String message) throws IOException {
        String closing = bytes(session, message).replace("\r\nAccept", "\r\nConnection: close\r\nAccept");
        return server.connect(1024).send(closing);
    }

    private static String unchunked(String body) {
        return body.replaceAll("(^|\r\n)[0-9a-f]+\r\n", "");
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, 2025-11-25", "2025-06-18, 2025-06-18", "2025-03-26, 2025-11-25",
        "2024-11-05, 2025-11-25", "2099-01-01, 2025-11-25", "x, 2025-11-25"})
    void agreesOnARevisionAndGivesASession(String asked, String agreed) throws Exception {
        HttpResponse<String> response = post(null, INITIALIZE.replace(NEWEST, asked));
        assertEquals(200, response.statusCode());
        Map<?, ?> result = (Map<?, ?>) object(response.body()).get("result");
        assertEquals(agreed, result.get("protocolVersion"));
        assertEquals(Map.of("tools", Map.of()), result.get("capabilities"));
        assertEquals(Map.of("name", "McpServer", "version", "1.0.0"), result.get("serverInfo"));
        String session = response.headers().firstValue("Mcp-Session-Id").orElseThrow();
        assertTrue(session.matches("[!-~]{36}"), session);
        assertNotEquals(session, open());
    }

    /** The rules of the transport: own is the session, none no field. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        // method | Accept | session | MCP-Protocol-Version | Origin | body | status
        "POST | both | own | 2025-11-25 | none | PING | 200",
        "POST | both | own | none | none | PING | 200",
        "POST | both | own | 2025-06-18 | none | PING | 400",
        "POST | both | own | 1999-01-01 | none | PING | 400",
        "POST | both | none | 2025-11-25 | none | PING | 400",
        "POST | both | other | 2025-11-25 | none | PING | 404",
        "POST | both | own | none | none | `{'jsonrpc':'2.0','method':'notifications/initialized'}` | 202",
        "POST | both | own | none | none | `{'jsonrpc':'2.0','method':'notifications/cancelled'}` | 202",
        "POST | both | own | none | none | `{'jsonrpc':'2.0','method':'initialize'}` | 202",
        "POST | both | own | none | none | `{'jsonrpc':'2.0','id':1,'result':{}}` | 202",
        "POST | both | own | none | none | `{'jsonrpc':'2.0','id':null,'error':{}}` | 202",
        "POST | both | none | none | none | `{'jsonrpc':'2.0','method':'initialize'}` | 400",
        "POST | both | other | none | none | `{'jsonrpc':'2.0','method':'notifications/initialized'}` | 404",
        "POST | none | own | none | none | PING | 406",
        "POST | */* | own | none | none | PING | 406",
        "POST | application/json | own | none | none | PING | 406",
        "POST | text/event-stream | own | none | none | PING | 406",
        "POST | `Text/Event-Stream;q=0.5, APPLICATION/JSON` | own | none | none | PING | 200",
        "GET | both | own | none | none | none | 405",
        "PUT | both | own | none | none | PING | 405",
        "DELETE | both | own | 2025-11-25 | none | none | 204",
        "DELETE | both | own | 2025-06-18 | none | none | 400",
        "DELETE | both | none | none | none | none | 400",
        "DELETE | both | other | none | none | none | 404",
        "POST | both | own | none | http://localhost:3000 | PING | 200",
        "POST | both | own | none | https://example.com | PING | 403",
        "DELETE | both | own | none | https://example.com | none | 403"})
    void keepsTheRulesOfTheTransport(String method, String accept, String session, String revision,
            String origin, String body, int status) throws Exception {
        String own = open();
        String message = body.equals("PING") ? PING : body.equals("none") ? "" : body;
        HttpRequest.Builder request = request(null)
                .method(method, BodyPublishers.ofString(message.replace('\'', '"')));
        String id = session.equals("own") ? own : session.equals("other") ? "" + UUID.randomUUID() : session;
        var fields = Map.of("Mcp-Session-Id", id, "MCP-Protocol-Version", revision, "Origin", origin,
                "Accept", accept.equals("both") ? ACCEPT : accept.equals("none") ? "text/plain" : accept);
        fields.forEach((name, value) -> {
            if (!value.equals("none")) {
                request.setHeader(name, value);
            }
        });
        HttpResponse<String> response = send(request);
        assertEquals(status, response.statusCode(), response.body());
        assertEquals(status == 202 || status == 204, response.body().isEmpty(), response.body());
        int after = status == 204 ? 404 : 200;
        assertEquals(after, post(own, PING).statusCode());
    }

    @Test
    void refusesOtherHosts() throws Exception {
        String post = "POST /mcp HTTP/1.1\r\nHost: example.com\r\nContent-Length: 0\r\n\r\n";
        assertEquals(421, server.connect().send(post).response().status());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "``", "x", "{", "1", "null", "[]", "{}", "`{'jsonrpc':'2.0'}`", "`{'jsonrpc':'2.0','id':1}`",
        "`{'jsonrpc':2.0,'id':1,'method':'ping'}`", "`{'id':1,'method':'ping'}`",
        "`{'jsonrpc':'2.0','id':null,'method':'ping'}`", "`{'jsonrpc':'2.0','id':[],'method':'ping'}`",
        "`{'jsonrpc':'2.0','id':1,'method':1}`", "`{'jsonrpc':'2.0','id':1,'method':null,'result':{}}`",
        "`{'jsonrpc':'2.0','id':1,'method':'ping','params':[]}`",
        "`{'jsonrpc':'2.0','id':1,'method':'ping','params':null}`",
        "`{'jsonrpc':'2.0','id':1,'result':1,'error':1}`",
        "`[{'jsonrpc':'2.0','id':1,'method':'ping'}]`",
        "`{'jsonrpc':'2.0','id':1,'id':1,'method':'ping'}`"})
    void invalidMessageGets400(String body) throws Exception {
        HttpResponse<String> response = post(open(), body);
        assertEquals(400, response.statusCode(), response.body());
        assertEquals(1, response.body().lines().count(), response.body());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "nothing | {} | -32601", "tools/List | {} | -32601", "`` | {} | -32601",
        "tools/call | {} | -32602", "tools/call | `{'name':'add'}` | -32602",
        "tools/call | `{'name':'none','arguments':{}}` | -32602",
        "tools/call | `{'name':1,'arguments':{}}` | -32602",
        "tools/call | `{'name':null,'arguments':{}}` | -32602",
        "tools/call | `{'name':'add','arguments':[1,2]}` | -32602"})
    void aWrongRequestGetsTheCodeOfJsonRpc(String method, String params, int code) throws Exception {
        for (String id : List.of("7", "'seven'", "1.5")) {
            HttpResponse<String> response = post(open(), "{'jsonrpc':'2.0','id':" + id
                    + ",'method':'" + method + "','params':" + params + "}");
            assertEquals(200, response.statusCode());
            Map<?, ?> answer = object(response.body());
            assertEquals(JsonReader.read(id.replace('\'', '"')), answer.get("id"));
            assertEquals((long) code, ((Map<?, ?>) answer.get("error")).get("code"));
        }
    }

    @Test
    void listsToolsWithTheirSchemas() throws Exception {
        String body = post(open(), PING.replace("ping", "tools/list")).body();
        List<?> tools = (List<?>) ((Map<?, ?>) object(body).get("result")).get("tools");
        assertEquals(List.of("add", "count", "endless", "failing", "fast"),
                tools.stream().map(tool -> ((Map<?, ?>) tool).get("name")).toList());
        Map<?, ?> schema = (Map<?, ?>) ((Map<?, ?>) tools.get(1)).get("inputSchema");
        String expected = "{'type':'object','required':['to','wait_ms'],'additionalProperties':false,"
                + "'properties':{'to':{'type':'integer','minimum':0,'maximum':100},"
                + "'wait_ms':{'type':'integer','minimum':0,'maximum':1000}}}";
        assertEquals(object(expected.replace('\'', '"')), schema);
    }

    /** What is wrong is a result, so that the model sees it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "add | `{'a':2,'b':3}` | 5", "add | `{'a':0,'b':1000000000}` | 1000000000",
        "add | `{'a':1.0,'b':2e1}` | 21",
        "add | {} | !", "add | `{'a':1}` | !", "add | `{'a':1,'b':2,'c':3}` | !", "add | `{'a':1,'c':2}` | !",
        "add | `{'a':-1,'b':2}` | !", "add | `{'a':1,'b':1000000001}` | !", "add | `{'a':1,'b':1e300}` | !",
        "add | `{'a':1.5,'b':2}` | !", "add | `{'a':'1','b':2}` | !", "add | `{'a':null,'b':2}` | !",
        "count | `{'to':0,'wait_ms':1000}` | counted to 0", "count | `{'to':101,'wait_ms':0}` | !",
        "failing | `{'error':0}` | ! no disk", "failing | `{'error':1}` | ! too deep"})
    void checksArgumentsByTheSchema(String tool, String arguments, String expected) throws Exception {
        HttpResponse<String> response = post(open(), call("1", tool, arguments, "null"));
        assertEquals("text/event-stream", response.headers().firstValue("Content-Type").orElseThrow());
        assertEquals(1, events(response.body()).size(), response.body());
        Map<?, ?> result = result(response.body());
        assertEquals(expected.startsWith("!"), result.get("isError"));
        String allowed = "allowed are integers from 0 to {a=1000000000, b=1000000000}";
        String wrong = tool.equals("add") ? allowed : "allowed are integers from 0 to {to=100, wait_ms=1000}";
        assertEquals(expected.equals("!") ? wrong : expected.replace("! ", ""), text(result));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"'a'", "7", "1.5"})
    void progressComesInOrderAndThenTheResult(String token) throws Exception {
        String stream = post(open(), call("'c'", "count", "{'to':9,'wait_ms':1}", token)).body();
        List<Map<?, ?>> events = events(stream);
        assertEquals(10, events.size(), stream);
        for (int i = 0; i < 9; i++) {
            Map<?, ?> params = (Map<?, ?>) events.get(i).get("params");
            assertEquals("notifications/progress", events.get(i).get("method"));
            Object sent = JsonReader.read(token.replace('\'', '"'));
            assertEquals(Map.of("progressToken", sent, "progress", i + 1L, "total", 9L), params);
        }
        assertEquals("c", events.get(9).get("id"));
        assertEquals("counted to 9", text(result(stream)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"null", "true", "{}", "[1]"})
    void withoutATokenTheStreamHasCommentsAndTheResult(String token) throws Exception {
        String stream = post(open(), call("1", "count", "{'to':3,'wait_ms':1}", token)).body();
        assertTrue(stream.startsWith(":\n\n:\n\n:\n\ndata: "), stream);
        assertEquals(1, events(stream).size(), stream);
    }

    /** The calls of a session have their own ids: another session cannot cancel them. */
    @Test
    void aCancelledCallEndsWithoutAResult() throws Exception {
        String session = open();
        HttpRequest request = message(session, call("'1'", "endless", "{}", "1")).build();
        var call = CLIENT.sendAsync(request, BodyHandlers.ofString());
        TestServer.await(started);
        String cancel = "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%s}}";
        assertEquals(202, post(open(), cancel.formatted("'1'")).statusCode());
        assertEquals(202, post(session, cancel.formatted("1")).statusCode());
        assertEquals(202, post(session, cancel.formatted("'1'").replace("cancelled", "other")).statusCode());
        assertFalse(call.isDone());
        assertEquals(202, post(session, cancel.formatted("'1'")).statusCode());
        String stream = call.get(30, TimeUnit.SECONDS).body();
        assertTrue(events(stream).stream().noneMatch(event -> event.containsKey("result")), stream);
        TestServer.await(ended);
        assertEquals(202, post(session, cancel.formatted("'1'")).statusCode());
    }

    @Test
    void theEndOfASessionCancelsItsCalls() throws Exception {
        String session = open();
        RawClient client = call(session, call("1", "endless", "{}", "null"));
        TestServer.await(started);
        assertEquals(204, send(request(session).DELETE()).statusCode());
        TestServer.await(ended);
        assertTrue(unchunked(client.response().text()).startsWith(":\n\n"));
        assertEquals(404, send(request(session).DELETE()).statusCode());
    }

    /** By a reset, or by the end of its side: then the next event finds nobody. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aCallEndsWithItsClient(boolean reset) throws Exception {
        RawClient client = call(open(), call("1", "endless", "{}", "null"));
        TestServer.await(started);
        if (reset) {
            client.reset();
        } else {
            client.close();
        }
        TestServer.await(ended);
    }

    /** It takes no progress, so it gets the first and the last events, and the tool does not wait for it. */
    @Test
    void aSlowClientMissesProgressAndNotTheResult() throws Exception {
        RawClient client = call(open(), call("1", "fast", "{'to':100000}", "'t'"));
        TestServer.await(ended);
        String stream = unchunked(client.response().text());
        List<Map<?, ?>> events = events(stream);
        List<Object> numbers = events.stream().limit(events.size() - 1).map(McpServerTest::progress).toList();
        assertEquals(new TreeSet<>(numbers).stream().toList(), numbers);
        assertTrue(numbers.size() < 100_000, "" + numbers.size());
        assertEquals("done", text(result(stream)));
    }

    /** One after the other, so that no client has more threads than connections. */
    @Test
    void callsOfAConnectionAreMadeInTurn() throws Exception {
        String session = open();
        RawClient client = server.connect().send(bytes(session, call("1", "endless", "{}", "null")))
                .send(bytes(session, call("2", "fast", "{'to':1}", "null")));
        TestServer.await(started);
        assertEquals(1, ended.getCount());
        post(session, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
        String end = "\r\n0\r\n\r\n";
        client.readUntil(end);
        assertTrue(client.readUntil(end).contains("\"done\""));
    }

    @Test
    void aSessionEndsWhenThereAreTooManyOrItIsIdle() {
        var sessions = new Sessions();
        String first = sessions.open(NEWEST, 0);
        String second = sessions.open(NEWEST, 0);
        for (int i = 2; i < Sessions.MAX; i++) {
            sessions.open(NEWEST, 0);
        }
        assertNotNull(sessions.use(first, 1));
        String last = sessions.open(NEWEST, 1);
        assertNull(sessions.use(second, 1));
        assertNotNull(sessions.use(first, Sessions.MAX_IDLE_NANOS));
        assertNotNull(sessions.use(last, Sessions.MAX_IDLE_NANOS + 1));
        assertNotNull(sessions.use(first, 2 * Sessions.MAX_IDLE_NANOS));
        assertNull(sessions.use(last, 2 * Sessions.MAX_IDLE_NANOS + 2));
        assertNull(sessions.use(last, 0));
        assertNull(sessions.use(null, 0));
    }

    /** Changed messages are answered or refused, and never a failure of the server. */
    @Test
    void noMessageFailsTheServer() throws Exception {
        String session = open();
        List<String> messages = List.of(INITIALIZE, PING, PING.replace("ping", "tools/list"),
                call("1", "add", "{'a':1,'b':2}", "'t'"), call("1", "count", "{'to':2,'wait_ms':0}", "1"),
                "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
        RandomCases.forEach(300, random -> {
            var text = new StringBuilder(messages.get(random.nextInt(messages.size())).replace('\'', '"'));
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                int at = random.nextInt(text.length());
                String part = List.of("", "null", "{}", "[]", "\"", "1e9", ",", "\"id\":", "\u00e9")
                        .get(random.nextInt(9));
                text.replace(at, Math.min(text.length(), at + random.nextInt(12)), part);
            }
            int status = post(session, text.toString()).statusCode();
            assertTrue(Set.of(200, 202, 400).contains(status), status + " for " + text);
        });
        assertEquals(200, post(session, PING).statusCode());
    }

    @Test
    void listensOnThisMachineAndEndsWithTheCallsThatItHas() throws Exception {
        ServerProcess program = processes.start("--port", "0").listening();
        assumeTrue(program.process.supportsNormalTermination(), "no SIGTERM");
        assertEquals("localhost", program.host);
        port = program.port;
        String session = open();
        HttpRequest request = message(session, call("1", "count", "{'to':30,'wait_ms':50}", "1")).build();
        Iterator<String> lines = CLIENT.send(request, BodyHandlers.ofLines()).body().iterator();
        assertTrue(lines.next().contains("notifications/progress"));
        program.terminate();
        String last = "";
        while (lines.hasNext()) {
            String line = lines.next();
            last = line.isEmpty() ? last : line;
        }
        assertTrue(last.contains("counted to 30"), last);
        assertEquals(143, program.process.waitFor());
        assertThrows(ConnectException.class, () -> new RawClient(port).close());
    }
}
