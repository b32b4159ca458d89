package org.microhttp.tools.responseserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** What the example {@code ResponseServer} prints with {@code --log-format json}. */
@Tier.Program
final class ResponseServerJsonTest {

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    @Test
    void eachLineIsAnObject() throws Exception {
        ServerProcess server = servers.start("--address", "127.0.0.1", "--port", "0", "--log-format", "json",
                "-vvvv", "-m", "-t", "1", "-b", "\"x\"\n");
        Map<?, ?> listening = (Map<?, ?>) JsonReader.read(server.nextLine());
        assertEquals("listening", listening.get("event"));
        assertEquals("127.0.0.1", listening.get("host"));
        assertEquals(1L, listening.get("threads"));
        int port = ((Long) listening.get("port")).intValue();
        try (var client = new RawClient(port); var wrong = new RawClient(port)) {
            client.send(ResponseServerLogTest.POST).response();
            client.expectEnd();
            wrong.send("wrong\r\n\r\n").readToEnd();
        }
        server.terminate();
        List<Map<?, ?>> events = new ArrayList<>();
        String output = server.output();
        assertTrue(output.contains(",\"fields\":[[\"Host\",\"x\"],[\"X-Y\",\"\\u00e9\"],"
                + "[\"Content-Length\",\"9\"],[\"Connection\",\"close\"]],"
                + "\"body\":\"ab\\u000a\\u0000\\u00ff\\\"\\\\\\u000d\\u000a\""), output);
        output.lines().forEach(line -> events.add((Map<?, ?>) JsonReader.read(line)));
        for (Map<?, ?> event : events) {
            String time = (String) event.get("time");
            assertTrue(time.matches("2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(?:\\.[0-9]+)?Z"), time);
        }
        Map<?, ?> request = first(events, "request");
        assertEquals(0L, request.get("id"));
        assertEquals("POST /a?b HTTP/1.1", request.get("start_line"));
        assertEquals(List.of(List.of("Host", "x"), List.of("X-Y", "\u00E9"), List.of("Content-Length", "9"),
                List.of("Connection", "close")), request.get("fields"));
        assertEquals("ab\n\0\u00FF\"\\\r\n", request.get("body"));
        String shown = ResponseServerLogTest.POST
                .replace("Host:x", "Host: x").replace("  \u00E9 ", " \u00E9");
        assertEquals(hex(shown), request.get("octets"));
        Map<?, ?> answer = first(events, "response");
        assertEquals("HTTP/1.1 200 OK", answer.get("start_line"));
        assertEquals("\"x\"\n", answer.get("body"));
        assertEquals(hex("HTTP/1.1 200 OK\r\n\r\n\"x\"\n"), answer.get("octets"));
        Map<?, ?> refusal = first(events, "refuse");
        assertEquals(400L, refusal.get("status"));
        assertEquals("bad_request_line", refusal.get("code"));
        Map<?, ?> totals = first(events, "totals");
        assertEquals(2L, totals.get("requests"));
        assertEquals(2L, totals.get("responses"));
        assertTrue((Double) totals.get("seconds") > 0);
    }

    private static Map<?, ?> first(List<Map<?, ?>> events, String name) {
        return events.stream().filter(event -> name.equals(event.get("event"))).findFirst().orElseThrow();
    }

    private static String hex(String bytes) {
        var text = new StringBuilder();
        bytes.chars().forEach(each -> text.append(String.format("%02x", each)));
        return text.toString();
    }

    /** An object has its time without the flag for text, too. */
    @ParameterizedTest
    @ValueSource(strings = {"--tcp-nodelay", "--log-time"})
    void jsonHasOnlyTheRequestedEvents(String flag) throws Exception {
        ServerProcess server =
                servers.start("-a", "127.0.0.1", "-p", "0", "-t", "1", "-v", "--log-format=json", flag);
        int port = ((Long) ((Map<?, ?>) JsonReader.read(server.nextLine())).get("port")).intValue();
        try (var client = new RawClient(port)) {
            client.get("/").expectOk("");
        }
        server.terminate();
        String line = "{\"time\":\"T\",\"event\":\"EVENT\",\"id\":0,\"start_line\":\"LINE\"}\n";
        assertEquals(line.replace("EVENT", "request").replace("LINE", "GET / HTTP/1.1")
                + line.replace("EVENT", "response").replace("LINE", "HTTP/1.1 200 OK"),
                server.output().replaceAll("2[0-9T:.-]+Z", "T") + "\n");
    }
}
