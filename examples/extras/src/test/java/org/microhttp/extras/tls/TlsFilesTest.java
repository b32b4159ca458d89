package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.*;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.*;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** The certificates and keys that {@code shared/tls} takes, what it says of wrong ones, and changes. */
@Tier.Program
final class TlsFilesTest {

    private static final TlsFiles ONE = TlsFiles.of("EC one");
    private static final TlsFiles TWO = TlsFiles.of("EC two");

    private static final String CLOSE = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private TlsSite site(String certificate, String key) throws Exception {
        var settings = TlsSettings.ofPem(write("certificate.pem", certificate), write("key.pem", key));
        return new TlsSite(TestServer.options(), settings, TestServer::echoTarget);
    }

    private static void assertAnswers(TlsSite site, TlsFiles files) throws Exception {
        try (var client = new TlsClient(site.port(), files.client(), "TLSv1.3")) {
            client.get("/a").readUntil("\r\n\r\n/a");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA one", "EC one", "Ed25519 one"})
    void takesKeysOfAllKinds(String name) throws Exception {
        TlsFiles files = TlsFiles.of(name);
        try (var site = site(files.certificatePem(), files.keyPem())) {
            assertAnswers(site, files);
        }
    }

    /** RSA in PKCS#1, EC in SEC 1. */
    @ParameterizedTest
    @ValueSource(strings = {"RSA one", "EC one"})
    void takesKeysInTheirOwnForms(String name) throws Exception {
        TlsFiles files = TlsFiles.of(name);
        try (var site = site(files.certificatePem(), files.bareKeyPem())) {
            assertAnswers(site, files);
        }
    }

    @Test
    void takesBothInOneFileWithTextBetween() throws Exception {
        String both = "Bag Attributes\r\n" + ONE.keyPem() + "subject=CN = one\n"
                + ONE.certificatePem().replace("\n", "\r\n");
        try (var site = site(both, both)) {
            assertAnswers(site, ONE);
        }
    }

    private void assertRefused(String certificate, String key, String message) {
        var e = assertThrows(IOException.class, () -> site(certificate, key));
        String found = e.getMessage();
        assertTrue(found.startsWith(folder + "") && found.contains(message), found);
    }

    @Test
    void errorNamesTheFileAndItsFault() throws Exception {
        String certificate = ONE.certificatePem();
        String key = ONE.keyPem();
        assertRefused("", key, "certificate.pem: it has no \"BEGIN CERTIFICATE\"");
        assertRefused(key, key, "certificate.pem: it has no \"BEGIN CERTIFICATE\"");
        assertRefused(certificate, "", "key.pem: it has no \"BEGIN PRIVATE KEY\"");
        assertRefused(certificate, certificate, "key.pem: it has no \"BEGIN PRIVATE KEY\"");
        assertRefused(certificate, TWO.keyPem(), "key.pem: its key is not that of the certificate");
        TlsFiles other = TlsFiles.of("RSA one");
        assertRefused(certificate, other.keyPem(), "key.pem: its key cannot be read as one of EC");
        assertRefused(certificate, other.bareKeyPem(), "key.pem: its key cannot be read as one of EC");
        String encrypted = key.replace("PRIVATE", "ENCRYPTED PRIVATE");
        assertRefused(certificate, encrypted, "key.pem: the key is encrypted");
        assertRefused(certificate, "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nabcd\n"
                + "-----END RSA PRIVATE KEY-----\n", "key.pem: the key is encrypted");
        assertRefused(certificate, key.replace("PRIVATE", "OPENSSH PRIVATE"), "key.pem: its key is \"BEGIN"
                + " OPENSSH PRIVATE KEY\"; allowed: PRIVATE KEY, RSA PRIVATE KEY, EC PRIVATE KEY");
        String half = key.substring(0, key.length() / 2);
        assertRefused(certificate, half, "key.pem: \"BEGIN PRIVATE KEY\" has no end");
        String broken = certificate.replaceFirst("M", "A");
        assertRefused(broken, key, "certificate.pem: a certificate cannot be read");
        assertRefused(certificate, key.replaceFirst("\nM", "\nA"), "key.pem: its key cannot be read");
        String unordered = certificate + TWO.certificatePem();
        assertRefused(unordered, key, "certificate.pem: certificate 2 is not that of the issuer");
        assertRefused(certificate + "x".repeat(2_000_000), key, "certificate.pem: it is larger than");
    }

    @Test
    void saysThatAFileIsMissingOrNoKeyStore() throws Exception {
        Path missing = folder.resolve("missing");
        Path text = write("text", "no store");
        for (TlsSettings wrong : new TlsSettings[] {TlsSettings.ofPem(missing, missing),
            TlsSettings.ofKeyStore(missing, TlsFiles.PASSWORD),
            TlsSettings.ofKeyStore(text, TlsFiles.PASSWORD),
            TlsSettings.ofKeyStore(ONE.keyStore, "wrong".toCharArray())}) {
            var e = assertThrows(IOException.class,
                    () -> new TlsSite(TestServer.options(), wrong, TestServer::echoTarget));
            assertTrue(e.getMessage().startsWith("/"), e.getMessage());
        }
        TlsSite.assertNoThreadIsLeft();
    }

    /** Connects until a client gets another certificate than before. */
    private static Certificate awaitOther(TlsSite site, Certificate before) throws Exception {
        while (true) {
            try (var client = new TlsClient(site.port(), TlsFiles.trusting(ONE, TWO), "TLSv1.3")) {
                Certificate found = client.engine.getSession().getPeerCertificates()[0];
                if (!found.equals(before)) {
                    return found;
                }
            }
        }
    }

    private void replace(String name, String text) throws IOException {
        Files.move(write("new", text), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void aNewKeyStoreIsForNewConnections() throws Exception {
        Path store = Files.copy(ONE.keyStore, folder.resolve("store.p12"));
        var settings = TlsSettings.ofKeyStore(store, TlsFiles.PASSWORD);
        try (var site = new TlsSite(TestServer.options(), settings, TestServer::echoTarget)) {
            Files.copy(TWO.keyStore, store, StandardCopyOption.REPLACE_EXISTING);
            assertEquals(TWO.certificate, awaitOther(site, ONE.certificate));
        }
    }

    /** Also for clients that have a session with the certificate of another. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void newAuthoritiesAreForNewConnections(String version) throws Exception {
        Path authorities = write("clients.pem", ONE.certificatePem());
        var settings = TlsSettings.ofPem(write("certificate.pem", ONE.certificatePem()),
                write("key.pem", ONE.keyPem())).withClientCertificates(authorities, true);
        try (var site = new TlsSite(TestServer.options(), settings, TestServer::echoTarget)) {
            SSLContext before = ONE.client(ONE);
            try (var client = new TlsClient(site.port(), before, version)) {
                client.get("/a").readUntil("\r\n\r\n/a");
            }
            replace("clients.pem", TWO.certificatePem());
            assertThrows(IOException.class, () -> {
                while (true) {
                    visit(site, before, version);
                }
            });
            site.log.await("tls_reload");
            visit(site, ONE.client(TWO), version);
        }
    }

    private static void visit(TlsSite site, SSLContext context, String version) throws IOException {
        try (var client = new TlsClient(site.port(), context, version)) {
            // in TLS 1.3 the alert comes after the handshake
            if (!client.send(CLOSE).readToEnd().startsWith("HTTP/1.1 200 ")) {
                throw new IOException("refused");
            }
        }
    }

    /** One client that has sessions, one that has none, and one that stays. */
    @Test
    void noConnectionIsLostWhileFilesAreReplaced() throws Exception {
        try (var site = site(ONE.certificatePem(), ONE.keyPem());
                var stays = new TlsClient(site.port(), ONE.client(), "TLSv1.3")) {
            SSLContext sessions = TlsFiles.trusting(ONE, TWO);
            for (int i = 1; i <= 3; i++) {
                TlsFiles next = i % 2 == 0 ? ONE : TWO;
                replace("certificate.pem", next.certificatePem());
                replace("key.pem", next.keyPem());
                while (site.log.count("tls_reload") < i) {
                    for (SSLContext context : List.of(sessions, TlsFiles.trusting(ONE, TWO))) {
                        try (var client = new TlsClient(site.port(), context, "TLSv1.3")) {
                            client.get("/new").readUntil("/new");
                        }
                    }
                    stays.get("/stays").readUntil("/stays");
                }
            }
        }
    }

    @Test
    void aMissingFileIsReportedOnceAndTakenWhenItIsThere() throws Exception {
        try (var site = site(ONE.certificatePem(), ONE.keyPem())) {
            Path key = folder.resolve("key.pem");
            Files.move(key, folder.resolve("away"));
            while (site.log.count("tls_reload_error") == 0) {
                assertAnswers(site, ONE);
            }
            assertInstanceOf(NoSuchFileException.class, site.log.await("tls_reload_error").cause());
            // it is looked for each second
            long end = System.nanoTime() + 2_500_000_000L;
            while (System.nanoTime() < end) {
                assertAnswers(site, ONE);
            }
            Files.move(folder.resolve("away"), key);
            while (site.log.count("tls_reload") == 0) {
                assertAnswers(site, ONE);
            }
            assertEquals(1, site.log.count("tls_reload_error"));
        }
    }

    /** Bytes that are changed, lost or doubled: a file is read, or is refused by its name. */
    @Test
    void mutatedFilesAreReadOrRefused() throws Exception {
        var random = new Random(1);
        for (String name : List.of("RSA one", "EC one", "Ed25519 one")) {
            TlsFiles files = TlsFiles.of(name);
            // a signature of RSA takes long
            for (int i = 0; i < (name.startsWith("RSA") ? 100 : 1_000); i++) {
                byte[] whole = (files.certificatePem() + files.keyPem() + files.bareKeyPem()).getBytes();
                Path file = Files.write(folder.resolve("fuzzed.pem"), changed(whole, random));
                try {
                    var pem = new PemFile(file);
                    assertFalse(pem.certificates().isEmpty());
                    assertNotNull(pem.key(files.certificate.getPublicKey()));
                } catch (IOException e) {
                    assertTrue(e.getMessage().startsWith(file + ": "), e.getMessage());
                }
            }
        }
    }

    private static byte[] changed(byte[] whole, Random random) {
        int at = random.nextInt(whole.length);
        int end = Math.min(whole.length, at + random.nextInt(200));
        var out = new ByteArrayOutputStream();
        out.write(whole, 0, at);
        switch (random.nextInt(4)) {
            case 0 -> out.write(random.nextInt(256));
            case 1 -> out.writeBytes(Arrays.copyOfRange(whole, at, end));
            case 2 -> at = end;
            default -> {
                // in the alphabet, so that it is another content
                out.write("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/".charAt(random.nextInt(44)));
                at++;
            }
        }
        out.write(whole, at, whole.length - at);
        return out.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-----BEGIN A-----\n", "-----BEGIN ", "-----BEGIN A\n",
        "-----BEGIN A-----\n-----END A", "-----BEGIN A-----\n-----END A-----\n"})
    void theTimeForALargeFileIsBounded(String part) throws Exception {
        Path file = write("large.pem", part.repeat((1 << 20) / part.length()));
        assertTimeout(Duration.ofSeconds(10),
                () -> assertThrows(IOException.class, () -> new PemFile(file).certificates()));
    }

    @Test
    void wrongNewFilesAreReportedAndTheOldOnesHold() throws Exception {
        try (var site = site(ONE.certificatePem(), ONE.keyPem())) {
            replace("certificate.pem", TWO.certificatePem());
            while (site.log.count("tls_reload_error") == 0) {
                assertAnswers(site, ONE);
            }
            String why = site.log.await("tls_reload_error").cause().getMessage();
            assertTrue(why.contains("its key is not that of the certificate"), why);
            assertAnswers(site, ONE);
            replace("key.pem", TWO.keyPem());
            assertEquals(TWO.certificate, awaitOther(site, ONE.certificate));
            site.log.await("tls_reload");
        }
    }
}
