package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.*;
import java.util.concurrent.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.FormService;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** The short programs that receive streamed bodies: UploadServer, and RelayServer before it. */
@Tier.Program
final class UploadExamplesTest {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int LIMIT = 20_000_000;
    private static final String PUT = "PUT /files/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n";

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    @TempDir
    private Path folder;

    private ServerProcess start(String... arguments) throws IOException {
        return processes.add(ServerProcess.start(arguments)).listening();
    }

    /** With a heap that could not hold two of the bodies. */
    private ServerProcess uploads() throws IOException {
        return start("-Xmx32m", "UploadServer", "0", "" + folder, "secret", "" + LIMIT);
    }

    private ServerProcess relay(int port) throws IOException {
        return start("-Xmx32m", "RelayServer", "0", "http://localhost:" + port);
    }

    private static HttpRequest.Builder to(ServerProcess server, String name) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port + "/files/" + name))
                .header("Authorization", "Bearer secret");
    }

    private static HttpResponse<String> put(ServerProcess server, String name, BodyPublisher body)
            throws Exception {
        return CLIENT.send(to(server, name).PUT(body).build(), BodyHandlers.ofString());
    }

    private static BodyPublisher counted(byte[] body) {
        return BodyPublishers.ofByteArray(body);
    }

    private static BodyPublisher inChunks(byte[] body) {
        return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body));
    }

    private static byte[] bytes(int count) {
        var bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 31 + i / 1000);
        }
        return bytes;
    }

    private long countFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private void assertStored(byte[] body, String name) throws IOException {
        assertArrayEquals(body, Files.readAllBytes(folder.resolve(name)));
    }

    @Test
    void filesAreStoredWhole() throws Exception {
        ServerProcess server = uploads();
        byte[] large = bytes(LIMIT);
        HttpRequest first = to(server, "counted").PUT(counted(large)).build();
        HttpRequest second = to(server, "chunked").PUT(inChunks(large)).build();
        var both = Stream.of(first, second)
                .map(one -> CLIENT.sendAsync(one, BodyHandlers.ofString())).toList();
        for (CompletableFuture<HttpResponse<String>> response : both) {
            assertEquals(201, response.get(60, TimeUnit.SECONDS).statusCode());
        }
        assertStored(large, "counted");
        assertStored(large, "chunked");
        assertEquals(201, put(server, "counted", counted(bytes(3))).statusCode());
        assertStored(bytes(3), "counted");
        assertEquals(2, countFiles());
    }

    @Test
    void tooLargeUploadGets413() throws Exception {
        try (var client = new RawClient(uploads().port)) {
            client.send(PUT + "Content-Length: " + (LIMIT + 1) + "\r\n\r\n");
            assertEquals(413, client.response().status());
        }
    }

    @Test
    void aLoginComesBeforeTheBody() throws Exception {
        ServerProcess server = uploads();
        try (var client = new RawClient(server.port)) {
            client.send(PUT.replace("secret", "guess")
                    + "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n");
            RawResponse response = client.response();
            assertEquals(401, response.status());
            assertEquals("Bearer", response.header("WWW-Authenticate"));
            client.expectEnd();
        }
        try (var client = new RawClient(server.port)) {
            client.send(PUT + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 100 "));
            assertEquals(201, client.send("abc").response().status());
        }
        assertStored("abc".getBytes(), "a");
    }

    @Test
    void namesStayInTheFolder() throws Exception {
        ServerProcess server = uploads();
        for (String name : new String[] {"../a", "%2e%2e%2fa", ".hidden", "a/b", "", "x".repeat(101)}) {
            try (var client = new RawClient(server.port)) {
                client.send(PUT.replace("/a", "/" + name) + "Content-Length: 1\r\n\r\nx");
                assertEquals(400, client.response().status(), name);
            }
        }
        assertEquals(400, put(server, "a", counted(new byte[0])).statusCode());
        HttpRequest post = to(server, "a").POST(counted(bytes(9))).build();
        assertEquals(405, CLIENT.send(post, BodyHandlers.discarding()).statusCode());
        var page = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port + "/")).build();
        assertTrue(CLIENT.send(page, BodyHandlers.ofString()).body().contains("progress"));
        assertEquals(0, countFiles());
    }

    @Test
    void uploadCutThroughTheRelayLeavesNothing() throws Exception {
        ServerProcess server = uploads();
        ServerProcess relay = relay(server.port);
        for (String framing : new String[] {"Content-Length: 1000\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n3e8\r\n"}) {
            for (boolean reset : new boolean[] {true, false}) {
                try (var client = new RawClient(relay.port)) {
                    client.send(PUT + framing + "x".repeat(500));
                    FormService.awaitFiles(folder, 1);
                    if (reset) {
                        client.reset();
                    } else {
                        client.halfClose();
                    }
                    FormService.awaitFiles(folder, 0);
                }
            }
        }
    }

    @Test
    void theRelayPassesBodiesOn() throws Exception {
        ServerProcess server = uploads();
        ServerProcess relay = relay(server.port);
        byte[] large = bytes(LIMIT);
        assertEquals(201, put(relay, "a", counted(large)).statusCode());
        assertStored(large, "a");
        assertEquals(201, put(relay, "b", inChunks(large)).statusCode());
        assertStored(large, "b");
        assertEquals("stored\n", put(relay, "c", counted(bytes(1))).body());
        // a refusal is passed on, too
        try (var client = new RawClient(relay.port)) {
            client.send(PUT.replace("secret", "guess") + "Content-Length: 10000000\r\n\r\n");
            assertEquals(401, client.send(bytes(10_000_000)).response().status());
        }
    }

    /** Neither side sends what the other does not read: this heap could not hold it. */
    @Test
    void theRelayWaitsForAServerThatDoesNotRead() throws Exception {
        try (var slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerProcess relay = relay(slow.getLocalPort());
            try (var client = new Socket(InetAddress.getLoopbackAddress(), relay.port)) {
                int count = 100_000_000;
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(client, count));
                try (Socket upstream = slow.accept()) {
                    assertThrows(TimeoutException.class, () -> sent.get(1, TimeUnit.SECONDS));
                    InputStream in = upstream.getInputStream();
                    in.skipNBytes(count);
                    upstream.getOutputStream().write("HTTP/1.1 204 No Content\r\n\r\n".getBytes());
                    sent.get(30, TimeUnit.SECONDS);
                    var answer = new BufferedReader(new InputStreamReader(client.getInputStream()));
                    assertEquals("HTTP/1.1 204 No Content", answer.readLine());
                }
            }
        }
    }

    private static void send(Socket client, int count) {
        try {
            OutputStream out = client.getOutputStream();
            out.write((PUT + "Content-Length: " + count + "\r\n\r\n").getBytes());
            var piece = new byte[100_000];
            for (int i = 0; i < count / piece.length; i++) {
                out.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theRelayPassesACutOn() throws Exception {
        try (var origin = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerProcess relay = relay(origin.getLocalPort());
            try (var client = new RawClient(relay.port)) {
                client.get("/");
                try (Socket upstream = origin.accept()) {
                    upstream.getOutputStream().write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "3\r\nabc\r\n").getBytes());
                    client.readUntil("abc");
                }
                assertFalse(client.readUntilItFails().contains("0\r\n\r\n"), "a last chunk");
            }
        }
    }
}
