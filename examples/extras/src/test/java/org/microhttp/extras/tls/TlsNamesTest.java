package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** Which of several certificates a client gets. */
@Tier.Program
final class TlsNamesTest {

    private static final TlsFiles FIRST = TlsFiles.of("EC first", "dns:one.example,dns:www.one.example");
    private static final TlsFiles SECOND = TlsFiles.of("EC second", "dns:two.example,dns:*.two.example");
    private static final TlsFiles SPECIAL = TlsFiles.of("EC special", "dns:Special.Two.example");
    private static final TlsFiles RSA = TlsFiles.of("RSA first", "dns:one.example,dns:www.one.example");
    private static final TlsFiles OTHER_RSA = TlsFiles.of("RSA two", "dns:two.example");
    private static final TlsFiles NAMELESS = TlsFiles.of("EC nameless", "");
    private static final TlsFiles[] ALL = {FIRST, SECOND, SPECIAL, RSA, OTHER_RSA, NAMELESS};

    /** A client with this cipher alone knows no other kind of key. */
    private static final String RSA_ALONE = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private TlsSettings settings(TlsFiles... certificates) throws Exception {
        TlsSettings settings = null;
        for (TlsFiles each : certificates) {
            int i = List.of(ALL).indexOf(each);
            Path certificate = write(i + ".pem", each.certificatePem());
            Path key = write(i + "-key.pem", each.keyPem());
            settings = settings == null ? TlsSettings.ofPem(certificate, key)
                    : settings.withPem(certificate, key);
        }
        return settings;
    }

    private static TlsSite site(TlsSettings settings) throws Exception {
        return new TlsSite(TestServer.options(), settings, TestServer::echoTarget);
    }

    /** The subject of the certificate that a new client gets; the host may be null, the cipher too. */
    private static String subject(TlsSite site, String version, String host, String cipher)
            throws Exception {
        return subject(site, TlsFiles.trusting(ALL).getSocketFactory(), version, host, cipher);
    }

    private static String subject(TlsSite site, SSLSocketFactory sockets, String version, String host,
            String cipher) throws Exception {
        try (var socket = (SSLSocket) sockets.createSocket("127.0.0.1", site.port())) {
            var parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {version});
            if (host != null) {
                parameters.setServerNames(List.of(new SNIHostName(host)));
            }
            if (cipher != null) {
                parameters.setCipherSuites(new String[] {cipher});
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.getOutputStream().write(RawClient.GET.getBytes());
            assertEquals('H', socket.getInputStream().read());
            var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName().replace("CN=", "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aHostHasItsCertificate(String version) throws Exception {
        String table = """
                one.example EC first
                WWW.one.example EC first
                two.example EC second
                any.TWO.example EC second
                special.two.example EC special
                a.any.two.example EC first
                example EC first
                localhost EC first
                three.example EC first
                """;
        try (var site = site(settings(FIRST, SECOND, SPECIAL))) {
            for (String line : table.lines().toList()) {
                String[] parts = line.split(" ", 2);
                assertEquals(parts[1], subject(site, version, parts[0], null), line);
            }
            assertEquals("EC first", subject(site, version, null, null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatComesAgainGetsTheSame(String version) throws Exception {
        try (var site = site(settings(FIRST, SECOND))) {
            for (String host : List.of("one.example", "two.example", "any.two.example", "three.example")) {
                var sockets = TlsFiles.trusting(ALL).getSocketFactory();
                for (int i = 0; i < 3; i++) {
                    String expected = host.endsWith("two.example") ? "EC second" : "EC first";
                    assertEquals(expected, subject(site, sockets, version, host, null), host);
                }
            }
        }
    }

    /** The host counts before the kind, so that no client gets the certificate of another host. */
    @ParameterizedTest
    @CsvSource({"one.example, false, EC first", "one.example, true, RSA first", ", false, EC first",
        ", true, RSA first", "two.example, true, RSA two", "two.example, false, RSA two"})
    void aHostMayHaveCertificatesOfSeveralKinds(String host, boolean rsa, String expected)
            throws Exception {
        try (var site = site(settings(FIRST, RSA, OTHER_RSA))) {
            assertEquals(expected, subject(site, "TLSv1.2", host, rsa ? RSA_ALONE : null));
        }
    }

    @Test
    void aHostWithoutTheKindThatTheClientKnowsIsRefused() throws Exception {
        try (var site = site(settings(RSA, SECOND))) {
            assertThrows(SSLException.class, () -> subject(site, "TLSv1.2", "two.example", RSA_ALONE));
        }
    }

    @Test
    void aKeyStoreMayHaveSeveral() throws Exception {
        Path store = TlsFiles.writeStore(folder.resolve("store.p12"), FIRST, SECOND);
        try (var site = site(TlsSettings.ofKeyStore(store, TlsFiles.PASSWORD))) {
            assertEquals("EC second", subject(site, "TLSv1.3", "two.example", null));
            assertEquals("EC first", subject(site, "TLSv1.3", "three.example", null));
        }
    }

    @Test
    void aCertificateThatNoClientWouldGetIsRefused() throws Exception {
        var e = assertThrows(IOException.class, () -> site(settings(FIRST, NAMELESS)));
        assertEquals(folder.resolve("5.pem") + ": its certificate has no DNS name (subjectAltName), so no"
                + " client would get it", e.getMessage());
        try (var site = site(settings(NAMELESS, FIRST))) {
            assertEquals("EC nameless", subject(site, "TLSv1.3", "two.example", null));
            assertEquals("EC first", subject(site, "TLSv1.3", "one.example", null));
        }
    }
}
