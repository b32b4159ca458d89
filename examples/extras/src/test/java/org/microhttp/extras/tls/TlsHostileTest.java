package org.microhttp.extras.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.*;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.*;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.extras.testing.TlsClient.End;
import org.microhttp.testing.*;

/** Clients that break the rules of TLS, or keep to them and harm: the front ends them, and serves others. */
@Tier.Program
final class TlsHostileTest {

    private static final int LARGE = 50_000_000;

    private TlsSite site;

    @BeforeEach
    void start() throws Exception {
        start(Duration.ofSeconds(30), TestServer::echoTarget);
    }

    private void start(Duration handshake, Handler handler) throws Exception {
        if (site != null) {
            site.close();
        }
        var options = TestServer.options().withMaxRequestSize(1_000_000);
        site = new TlsSite(options, settings -> settings.withHandshakeTimeout(handshake), handler);
    }

    @AfterEach
    void othersAreServed() throws Exception {
        site.assertServes();
        site.close();
        TlsSite.assertNoThreadIsLeft();
    }

    private Socket socket() throws IOException {
        var socket = new Socket("127.0.0.1", site.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** How many bytes come until the connection ends in whatever way. */
    private static int drain(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (SocketException e) {
            return 0;
        }
    }

    private static byte[] clientHello() throws Exception {
        return SilentClients.clientHello(TlsSite.FILES.client());
    }

    @Test
    void aHandshakeThatDoesNotEndIsEnded() throws Exception {
        start(Duration.ofMillis(200), TestServer::echoTarget);
        byte[] hello = clientHello();
        try (Socket silent = socket(); Socket half = socket(); Socket whole = socket()) {
            half.getOutputStream().write(hello, 0, 100);
            whole.getOutputStream().write(hello);
            assertEquals(0, drain(silent));
            assertEquals(0, drain(half));
            assertTrue(drain(whole) > 100);
        }
        site.log.await("tls_error", 3);
    }

    @Test
    void plainHttpIsRefused() throws Exception {
        try (Socket socket = socket()) {
            socket.getOutputStream().write(RawClient.GET.getBytes());
            assertTrue(drain(socket) < 10);
            assertNotNull(site.log.await("tls_error").cause());
        }
        assertEquals(0, site.log.count("accept"));
    }

    @Test
    void garbageIsRefused() throws Exception {
        var random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] garbage = new byte[random.nextInt(300)];
            random.nextBytes(garbage);
            if (i % 2 == 0 && garbage.length > 5) {
                // the head of a record of the handshake
                System.arraycopy(new byte[] {22, 3, 1, 0, (byte) (garbage.length - 5)}, 0, garbage, 0, 5);
            }
            try (Socket socket = socket()) {
                socket.getOutputStream().write(garbage);
                socket.shutdownOutput();
                drain(socket);
            }
        }
        site.log.await("tls_error", 200);
        assertEquals(0, site.log.count("accept"));
    }

    @Test
    void aNameThatTheClientSendsForgesNoLineOfTheLog() throws Exception {
        String name = "name.of.this.length";
        SSLEngine engine = TlsSite.FILES.client().createSSLEngine(name, 1);
        String hello = new String(SilentClients.clientHello(engine), ISO_8859_1);
        assertTrue(hello.contains(name), hello);
        try (Socket socket = socket()) {
            String forged = hello.replace(name, "nam\r\n2026 WARNING x");
            socket.getOutputStream().write(forged.getBytes(ISO_8859_1));
            drain(socket);
        }
        var trace = new StringWriter();
        site.log.await("tls_error").cause().printStackTrace(new PrintWriter(trace));
        assertTrue(trace.toString().contains("WARNING"), "" + trace);
        assertTrue(trace.toString().lines().noneMatch(line -> line.startsWith("2026")), "" + trace);
    }

    @Test
    void aRecordThatIsTooLargeIsRefused() throws Exception {
        for (int type : new int[] {20, 21, 22, 23}) {
            try (Socket socket = socket()) {
                byte[] record = new byte[5 + 0xFFFF];
                System.arraycopy(new byte[] {(byte) type, 3, 3, -1, -1}, 0, record, 0, 5);
                try {
                    socket.getOutputStream().write(record);
                } catch (SocketException e) {
                    // it has been closed already
                }
                drain(socket);
            }
        }
        site.log.await("tls_error", 4);
    }

    @Test
    void aHandshakeMayComeInSingleBytesAndEndAtAny() throws Exception {
        byte[] hello = clientHello();
        for (int length = 0; length < hello.length; length++) {
            try (Socket socket = socket()) {
                socket.getOutputStream().write(hello, 0, length);
            }
        }
        try (Socket socket = socket()) {
            socket.setTcpNoDelay(true);
            for (byte each : hello) {
                socket.getOutputStream().write(each);
            }
            // a record of the handshake
            assertEquals(22, socket.getInputStream().read());
        }
        site.log.await("tls_error", hello.length);
    }

    @Test
    void aConnectionMayEndAtAnyByteOfARecord() throws Exception {
        int whole = 1;
        for (int length = 0; length < whole; length++) {
            try (var client = site.connect()) {
                byte[] record = client.encrypt(ByteBuffer.wrap(RawClient.GET.getBytes()));
                whole = record.length;
                client.socket.getOutputStream().write(record, 0, length);
                client.socket.shutdownOutput();
                assertEquals("", client.readToEnd());
                assertNotEquals(End.CLOSE_NOTIFY, client.end());
            }
        }
        assertEquals(0, site.log.count("read_request"));
    }

    @Test
    void aRecordThatWasChangedIsRefused() throws Exception {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (var client = site.connect(version)) {
                byte[] record = client.encrypt(ByteBuffer.wrap(RawClient.GET.getBytes()));
                record[record.length - 1] ^= 1;
                client.socket.getOutputStream().write(record);
                // the alert is an exception here
                assertThrows(IOException.class, client::readToEnd);
            }
        }
        site.log.await("tls_error", 2);
        assertEquals(0, site.log.count("read_request"));
    }

    @Test
    void renegotiationIsRefused() throws Exception {
        try (var client = site.connect("TLSv1.2")) {
            client.get("/").readUntil("\r\n\r\n/");
            client.engine.beginHandshake();
            client.wrap();
            client.readToEnd();
            assertEquals(End.CUT, client.end());
            assertEquals("renegotiation is refused", site.log.await("tls_error").cause().getMessage());
        }
    }

    /** In TLS 1.3 the engine of the JDK makes a key update of that, which asks for one. */
    @Test
    void newKeysAreTakenIfDataFollows() throws Exception {
        try (var client = site.connect()) {
            for (int i = 0; i < 1_000; i++) {
                client.engine.beginHandshake();
                client.wrap();
                if (i % 25 == 0) {
                    client.get("/after").readUntil("\r\n\r\n/after");
                }
            }
            assertEquals(0, site.log.count("tls_error"));
            assertThrows(IOException.class, () -> {
                while (client.end() == End.NONE) {
                    client.engine.beginHandshake();
                    client.wrap();
                }
            });
            String why = site.log.await("tls_error").cause().getMessage();
            assertEquals("too many records without data", why);
        }
    }

    @Test
    void aClientThatDoesNotReadHoldsUpNobodyAndKeepsLittle() throws Exception {
        start(Duration.ofSeconds(30), (request, callback) -> callback.accept(request.target().equals("/large")
                ? new Response(200, List.of(), new byte[LARGE]) : Response.text(200, "small")));
        try (var client = new TlsClient(site.port(), TlsSite.FILES.client(), "TLSv1.3", 8_000)) {
            client.get("/large").readUntil("\r\n\r\n");
            long before;
            long taken = 0;
            do {
                // which takes longer than to pass on what still can be; its own response has some 100 bytes
                site.assertServes();
                before = taken;
                taken = site.server.stats().bytesOut();
            } while (taken - before > 1_000);
            assertTrue(taken < LARGE / 2, "" + taken);
        }
    }

    @Test
    void anUploadThatNeverStopsIsEnded() throws Exception {
        try (var client = site.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            byte[] chunk = ("10000\r\n" + "a".repeat(0x10000) + "\r\n").getBytes();
            for (int i = 0; i < 100; i++) {
                client.send(chunk);
            }
            assertTrue(client.readToEnd().startsWith("HTTP/1.1 413 "));
        }
    }

    @Test
    void manyConnectionsThatDoNothingLeaveNothing() throws Exception {
        long before = Leaks.descriptors();
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < 300; i++) {
            sockets.add(socket());
        }
        var clients = new ArrayList<TlsClient>();
        for (int i = 0; i < 30; i++) {
            clients.add(site.connect().get("/"));
        }
        site.assertServes();
        for (Socket socket : sockets) {
            socket.close();
        }
        for (TlsClient client : clients) {
            client.close();
        }
        site.log.await("tls_error", 330);
        site.log.await("close", 30);
        site.assertServes();
        Leaks.assertDescriptors(before);
    }
}
