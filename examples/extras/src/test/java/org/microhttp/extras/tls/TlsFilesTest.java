package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
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
    void saysWhatIsWrongWithWhichFile() throws Exception {
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
        String broken = certificate.replaceFirst("M", "A");
        assertRefused(broken, key, "certificate.pem: a certificate cannot be read");
        assertRefused(certificate, key.replaceFirst("\nM", "\nA"), "key.pem: its key cannot be read");
        String unordered = certificate + TWO.certificatePem();
        assertRefused(unordered, key, "certificate.pem: Certificate chain is not valid");
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
    void newFilesAreForNewConnections() throws Exception {
        try (var site = site(ONE.certificatePem(), ONE.keyPem());
                var before = new TlsClient(site.port(), ONE.client(), "TLSv1.3")) {
            replace("certificate.pem", TWO.certificatePem());
            replace("key.pem", TWO.keyPem());
            assertEquals(TWO.certificate, awaitOther(site, ONE.certificate));
            site.log.await("tls_reload");
            assertAnswers(site, TWO);
            before.get("/old").readUntil("/old");
        }
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
        }
    }
}
