package org.microhttp.tools.responseserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** What the example {@code ResponseServer} answers over sockets, as its flags say. */
@Tier.Program
final class ResponseServerTest {

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    @Test
    void answersAnythingWithTheOneResponse() throws Exception {
        servers.serve("--status", "201", "--body", "{\"ok\":true}", "--header",
                "Content-Type: application/json", "-H", "X-Empty:");
        String response = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nX-Empty: \r\n"
                + "Content-Length: 11\r\n\r\n{\"ok\":true}";
        try (var client = servers.connect()) {
            client.get("/").expect(response).get("/any?a=b").expect(response);
            client.send("DELETE /x HTTP/1.1\r\nHost: x\r\n\r\n").expect(response);
            client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc").expect(response);
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals("11", client.response(true).header("Content-Length"));
            client.expectEnd();
        }
    }

    @Test
    void answers200WithoutABodyOnEveryInterfaceByDefault() throws Exception {
        ServerProcess server = servers.start("-p", "0").listening();
        assertEquals("*", server.host);
        try (var client = servers.connect()) {
            client.get("/").expectOk("");
        }
        for (InetAddress own : NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance).toList()) {
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(own, server.port), 10_000);
            }
        }
    }

    @Test
    void takesFlagsInEveryFormThatIsCustomary() throws Exception {
        servers.start("--address=127.0.0.1", "-p0", "--status=404", "-bnone", "-HA:1", "-t2").listening();
        try (var client = servers.connect()) {
            client.get("/").expect("HTTP/1.1 404 Not Found\r\nA: 1\r\nContent-Length: 4\r\n\r\nnone");
        }
    }

    @Test
    void listensOnAnAddressOfIPv6() throws Exception {
        Path addresses = Path.of("/proc/net/if_inet6");
        assumeTrue(Files.exists(addresses) && Readme.read(addresses).contains(" lo\n"), "no IPv6");
        for (String address : List.of("::1", "[::1]")) {
            ServerProcess server = servers.start("-a", address, "-p", "0").listening();
            assertEquals("[::1]", server.host);
            try (var socket = new Socket("::1", server.port)) {
                socket.getOutputStream().write(RawClient.GET.getBytes(ISO_8859_1));
                assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
            }
        }
    }

    @Test
    void sendsTheBytesThatAFileHadAtTheStart(@TempDir Path folder) throws Exception {
        byte[] bytes = new byte[200_000];
        IntStream.range(0, bytes.length).forEach(i -> bytes[i] = (byte) (i * 31 >> 3));
        Path file = Files.write(folder.resolve("body with space.bin"), bytes);
        servers.serve("--body", "@" + file);
        Files.write(file, new byte[1]);
        try (var client = servers.connect()) {
            assertArrayEquals(bytes, client.get("/").response().body());
        }
    }

    @Test
    void sendsTextInUtf8() throws Exception {
        assumeTrue("UTF-8".equals(System.getProperty("sun.jnu.encoding")), "a locale without the character");
        servers.serve("--body", "gr\u00FC\u00DFe \u20AC");
        try (var client = servers.connect()) {
            assertEquals("gr\u00FC\u00DFe \u20AC", new String(client.get("/").response().body(), UTF_8));
        }
    }

    @Test
    void sendsAStatusThatIsNotRegisteredWithoutAReason() throws Exception {
        servers.serve("-s", "299");
        try (var client = servers.connect()) {
            client.get("/").expect("HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n");
        }
    }

    @Test
    void knowsTheReasonsOfRegisteredStatuses() throws Exception {
        var expected = new String[] {"206 Partial Content", "226 IM Used", "308 Permanent Redirect",
            "414 URI Too Long", "422 Unprocessable Content", "451 Unavailable For Legal Reasons",
            "511 Network Authentication Required"};
        String[] routes = Arrays.stream(expected).map(line -> line.substring(0, 3))
                .flatMap(status -> Stream.of("--route", "GET /" + status + "=" + status + ":"))
                .toArray(String[]::new);
        servers.serve(routes);
        try (var client = servers.connect()) {
            for (String line : expected) {
                client.get("/" + line.substring(0, 3))
                        .expect("HTTP/1.1 " + line + "\r\nContent-Length: 0\r\n\r\n");
            }
        }
    }

    @Test
    void routesByMethodAndPath(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("list"), "[1,2]");
        servers.serve("-b", "other", "--route", "GET /a=200:one=two:three", "--route", "POST /a=202:",
                "--route", "GET /a?b=c=200:query", "--route", "GET /t=1:2=3=204:",
                "--route", "GET /list=200:@" + file,
                "--route", "OPTIONS *=204:", "-H", "X: y");
        try (var client = servers.connect()) {
            assertEquals("one=two:three", client.get("/a").response().text());
            assertEquals("one=two:three", client.get("/a?x").response().text());
            assertEquals("query", client.get("/a?b=c").response().text());
            assertEquals(204, client.get("/t=1:2=3").response().status());
            assertEquals("[1,2]", client.get("/list").response().text());
            assertEquals("one=two:three", client.get("http://x/a").response().text());
            assertEquals("other", client.get("http://x?/a").response().text());
            assertEquals("other", client.get("http://x#/a").response().text());
            assertEquals("other", client.get("/a/").response().text());
            assertEquals("other", client.get("/").response().text());
            client.send("POST /a HTTP/1.1\r\nHost: x\r\n\r\n")
                    .expect("HTTP/1.1 202 Accepted\r\nX: y\r\nContent-Length: 0\r\n\r\n");
            assertEquals("other", client.send("PUT /a HTTP/1.1\r\nHost: x\r\n\r\n").response().text());
            client.send("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n")
                    .expect("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n");
            client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("13", client.response(true).header("Content-Length"));
        }
    }

    @Test
    void endsOnATerminationSignalAndWaitsForNoDelay() throws Exception {
        ServerProcess server = servers.serve("-d", "1h", "-v");
        assumeTrue(server.process.supportsNormalTermination(), "no SIGTERM");
        try (var client = servers.connect()) {
            client.get("/");
            assertEquals("#0 > GET / HTTP/1.1", server.nextLine());
            server.terminate();
            assertNull(server.nextLine());
            assertEquals("", server.errors());
            assertEquals(143, server.process.waitFor());
        }
    }
}
