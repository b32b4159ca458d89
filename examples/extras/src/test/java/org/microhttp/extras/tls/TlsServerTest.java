package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.net.ssl.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** The server with TLS of {@code shared/tls}: what clients get that keep the rules, its limits, its end. */
@Tier.Program
final class TlsServerTest {

    private static final int LARGE = 5_000_000;

    /** Answers with the client's address, or for /echo with the body of the request. */
    private static void handle(Request request, Consumer<Response> callback) {
        boolean echo = request.target().equals("/echo");
        callback.accept(echo ? new Response(200, List.of(), request.body())
                : Response.text(200, request.remoteAddress() + "\n"));
    }

    private static HttpClient client(SSLContext context, String version) {
        var parameters = new SSLParameters();
        parameters.setProtocols(new String[] {version});
        return HttpClient.newBuilder().sslContext(context).sslParameters(parameters).build();
    }

    private static HttpRequest.Builder to(TlsSite site, String target) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + site.port() + target))
                .timeout(Duration.ofSeconds(30));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void passesLargeBodiesOnInBothDirections(String version) throws Exception {
        byte[] body = new byte[LARGE];
        new Random(1).nextBytes(body);
        var options = TestServer.options().withMaxRequestSize(2 * LARGE);
        try (var site = new TlsSite(options, UnaryOperator.identity(), TlsServerTest::handle)) {
            HttpClient client = client(TlsSite.FILES.client(), version);
            var all = new ArrayList<CompletableFuture<HttpResponse<byte[]>>>();
            for (int i = 0; i < 4; i++) {
                var request = to(site, "/echo").POST(BodyPublishers.ofByteArray(body)).build();
                all.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
            }
            for (var response : all) {
                assertArrayEquals(body, response.get().body());
                assertEquals(version, response.get().sslSession().orElseThrow().getProtocol());
            }
        }
    }

    @Test
    void passesTheAddressOfTheClientOn() throws Exception {
        try (var site = new TlsSite(TlsServerTest::handle); var client = site.connect()) {
            client.get("/").readUntil("\r\n\r\n");
            assertEquals(client.address() + "\n", client.readUntil("\n"));
            assertEquals(client.address(), site.log.await("exchange").value("peer"));
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        try (var site = new TlsSite(TestServer::echoTarget); var client = site.connect()) {
            var requests = new StringBuilder();
            for (int i = 0; i < 2_000; i++) {
                requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            client.send(requests.toString());
            for (int i = 0; i < 2_000; i++) {
                client.readUntil("\r\n\r\n/" + i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"h2 http/1.1, http/1.1", "http/1.0, http/1.0", "h2,"})
    void choosesHttp11OrHttp10OfTheProtocolsOffered(String offered, String chosen) throws Exception {
        try (var site = new TlsSite(TlsServerTest::handle); var socket = (SSLSocket) TlsSite.FILES.client()
                .getSocketFactory().createSocket("127.0.0.1", site.port())) {
            var parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(offered.split(" "));
            socket.setSSLParameters(parameters);
            if (chosen == null) {
                assertThrows(SSLException.class, socket::startHandshake);
            } else {
                socket.startHandshake();
                assertEquals(chosen, socket.getApplicationProtocol());
            }
        }
    }

    /** The certificate of a client: one that the server knows, none, or one of a stranger. */
    private enum Client { GOOD, NONE, STRANGER }

    private static String peer(Request request) {
        try {
            var session = request.attribute(SSLSession.class);
            return "" + ((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal();
        } catch (SSLPeerUnverifiedException e) {
            return "nobody";
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, true, GOOD, CN=EC client", "TLSv1.3, true, GOOD, CN=EC client",
        "TLSv1.2, false, GOOD, CN=EC client", "TLSv1.3, false, GOOD, CN=EC client",
        "TLSv1.2, true, NONE, ", "TLSv1.3, true, NONE, ", "TLSv1.2, false, NONE, nobody",
        "TLSv1.3, false, NONE, nobody", "TLSv1.2, true, STRANGER, ", "TLSv1.3, true, STRANGER, ",
        "TLSv1.3, false, STRANGER, nobody"})
    void aHandlerKnowsTheCertificateOfTheClient(String version, boolean must, Client kind, String expected,
            @TempDir Path folder) throws Exception {
        TlsFiles known = TlsFiles.of("EC client");
        TlsFiles own = kind == Client.NONE ? null : kind == Client.GOOD ? known : TlsFiles.of("EC two");
        Path authorities = Files.writeString(folder.resolve("clients.pem"), known.certificatePem());
        try (var site = new TlsSite(TestServer.options(),
                settings -> settings.withClientCertificates(authorities, must),
                Handler.of(request -> Response.text(200, peer(request))))) {
            HttpClient client = client(TlsSite.FILES.client(own), version);
            HttpRequest request = to(site, "/").build();
            if (expected != null) {
                assertEquals(expected, client.send(request, BodyHandlers.ofString()).body());
            } else {
                assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
                site.log.await("tls_error");
            }
        }
    }

    @Test
    void aReceiverKnowsTheSession() throws Exception {
        var sessions = new LinkedBlockingQueue<SSLSession>();
        Handler handler = Handler.receiving(request -> {
            sessions.add(request.attribute(SSLSession.class));
            return HttpResponse.BodySubscribers.ofByteArray();
        }, (request, received, callback) -> {
            sessions.add(request.attribute(SSLSession.class));
            callback.accept(Response.text(200, "done"));
        });
        try (var site = new TlsSite(handler); var client = site.connect()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx").readUntil("done");
            assertSame(sessions.take(), sessions.take());
        }
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2, TLSv1.2, true", "TLSv1.2, TLSv1.3, true", "TLSv1.3, TLSv1.2, false",
        "TLSv1.3, TLSv1.3, true"})
    void theOldestVersionMayBeSet(String least, String version, boolean served) throws Exception {
        try (var site = new TlsSite(TestServer.options(), settings -> settings.withMinVersion(least),
                TestServer::echoTarget)) {
            if (served) {
                site.connect(version).close();
            } else {
                assertThrows(SSLException.class, () -> site.connect(version));
            }
        }
    }

    @Test
    void letsClientsWaitIfAllOthersHaveSentRequests() throws Exception {
        try (var site = new TlsSite(TestServer.options().withMaxConnections(2), UnaryOperator.identity(),
                TlsServerTest::handle)) {
            TlsClient first = site.connect().get("/");
            TlsClient second = site.connect().get("/");
            site.log.await("read_request", 2);
            var third = CompletableFuture.supplyAsync(() -> {
                try {
                    return site.connect();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            first.readUntil("\r\n\r\n");
            second.readUntil("\r\n\r\n");
            assertEquals("2", site.log.await("accept_pause").value("connections"));
            assertFalse(third.isDone());
            first.close();
            try (var admitted = third.get()) {
                admitted.get("/").readUntil("\r\n\r\n");
                site.log.await("accept_resume");
            }
            second.close();
        }
    }

    @Test
    void finishesRequestsBeforeItStops() throws Exception {
        var handler = new HoldingHandler();
        try (var site = new TlsSite(handler)) {
            TlsClient client = site.connect().get("/later");
            TlsClient idle = site.connect().get("/");
            idle.readUntil("\r\n\r\n");
            site.log.await("read_request", 2);
            var stopping = new PendingStop(() -> site.server.stop(Duration.ofSeconds(30)));
            site.log.await("leave");
            handler.pending.take().accept(Response.text(200, "done"));
            String answer = client.readToEnd();
            assertTrue(answer.contains("Connection: close") && answer.endsWith("done"), answer);
            assertEquals(TlsClient.End.CLOSE_NOTIFY, client.end());
            idle.readToEnd();
            assertEquals(TlsClient.End.CLOSE_NOTIFY, idle.end());
            client.close();
            idle.close();
            assertEquals(0, stopping.dropped());
            site.join();
            Leaks.bind(site.port());
        }
    }

    @Test
    void leavesNothingBehind() throws Exception {
        var site = new TlsSite(TlsServerTest::handle);
        TlsClient open = site.connect();
        open.get("/").readUntil("\r\n\r\n");
        site.connect().close();
        Path socket = Path.of(site.log.await("listen").value("local_address"));
        String rights = Rights.of(socket.getParent());
        assertEquals("rwx------", rights);
        assertTrue(Files.exists(socket));
        site.close();
        assertFalse(Files.exists(socket.getParent()));
        open.readToEnd();
        Leaks.bind(site.port());
        TlsSite.assertNoThreadIsLeft();
    }

    @Test
    void leavesTheOptionsAsTheyWere() throws Exception {
        Options options = TestServer.options();
        String before = options.toString();
        new TlsSite(options, UnaryOperator.identity(), TlsServerTest::handle).close();
        assertEquals(before, options.toString());
    }

    @Test
    void settingsStayAsTheyAre(@TempDir Path folder) throws IOException {
        var settings = TlsSettings.ofKeyStore(TlsSite.FILES.keyStore, TlsFiles.PASSWORD);
        TlsSettings changed = settings.withClientCertificates(folder.resolve("missing"), true);
        assertThrows(IOException.class,
                () -> new TlsSite(TestServer.options(), changed, TlsServerTest::handle));
        new TlsSite(TestServer.options(), settings, TlsServerTest::handle).close();
    }

    @Test
    void incompatibleSettingsAreRefused() {
        var settings = TlsSettings.ofKeyStore(TlsSite.FILES.keyStore, TlsFiles.PASSWORD);
        for (Options wrong : List.of(TestServer.options().withProxyProtocol(true),
                TestServer.options().withUnixSocket(Path.of("a")))) {
            assertThrows(IllegalArgumentException.class,
                    () -> new TlsSite(wrong, settings, TlsServerTest::handle));
        }
        assertThrows(IllegalArgumentException.class, () -> settings.withHandshakeTimeout(Duration.ZERO));
        var e = assertThrows(IllegalArgumentException.class, () -> settings.withMinVersion("TLSv1.1"));
        assertEquals("minVersion is TLSv1.1; allowed: TLSv1.2, TLSv1.3", e.getMessage());
    }

    @Test
    void enginesHaveTheirOwnCertificatesClientsAndVersions() {
        var settings = TlsSettings.ofEngines(client -> null);
        Path file = Path.of("a");
        for (Executable wrong : new Executable[] {() -> settings.withPem(file, file),
            () -> settings.withClientCertificates(file, true), () -> settings.withMinVersion("TLSv1.3")}) {
            assertThrows(IllegalStateException.class, wrong);
        }
    }
}
