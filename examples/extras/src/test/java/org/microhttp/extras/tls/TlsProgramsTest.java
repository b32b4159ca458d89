package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.TlsSite;
import org.microhttp.testing.*;

/** With files that OpenSSL makes, and with curl and {@code openssl s_client} as clients. */
@Tier.Program
final class TlsProgramsTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void areThere() {
        assumeTrue(Programs.isInstalled("openssl") && Programs.isInstalled("curl"), "no openssl or no curl");
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static void openssl(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of("openssl"));
        command.addAll(Arrays.asList(arguments));
        Programs.run(0, command.toArray(String[]::new));
    }

    /** Makes key.pem and certificate.pem, for localhost. */
    private void make(String kind) throws Exception {
        boolean curve = kind.startsWith("P-");
        var command = new ArrayList<>(List.of("req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=" + kind,
                "-addext", "subjectAltName=DNS:localhost", "-keyout", file("key.pem"), "-out",
                file("certificate.pem"), "-newkey", curve ? "ec" : kind));
        if (curve) {
            command.addAll(List.of("-pkeyopt", "ec_paramgen_curve:" + kind));
        }
        openssl(command.toArray(String[]::new));
    }

    private TlsSettings settings() {
        return TlsSettings.ofPem(folder.resolve("certificate.pem"), folder.resolve("key.pem"));
    }

    private static TlsSite site(TlsSettings settings) throws Exception {
        return new TlsSite(TestServer.options(), settings, TestServer::echoTarget);
    }

    private String curl(int status, String url, String... more) throws Exception {
        var command = new ArrayList<>(List.of("curl", "-sS", "--noproxy", "*", "--max-time", "30", url));
        command.addAll(List.of(more));
        return Programs.run(status, command.toArray(String[]::new));
    }

    private String curl(TlsSite site, String... more) throws Exception {
        var all = new ArrayList<>(List.of("--cacert", file("certificate.pem")));
        all.addAll(List.of(more));
        return curl(0, "https://localhost:" + site.port() + "/a", all.toArray(String[]::new));
    }

    private void assertServes(TlsSettings settings) throws Exception {
        try (var site = site(settings)) {
            assertEquals("/a", curl(site));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa", "P-256", "P-384", "ed25519"})
    void keysOfOpensslAreTaken(String kind) throws Exception {
        make(kind);
        assertServes(settings());
    }

    /** With its EC PARAMETERS before it. */
    @Test
    void aKeyOfEcparamIsTaken() throws Exception {
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", file("key.pem"));
        openssl("req", "-x509", "-days", "2", "-subj", "/CN=one", "-addext", "subjectAltName=DNS:localhost",
                "-key", file("key.pem"), "-out", file("certificate.pem"));
        assertServes(settings());
    }

    /** In PKCS#8, and as OpenSSL wrote it before; the command of the message decrypts both. */
    @ParameterizedTest
    @ValueSource(strings = {"pkcs8 -topk8", "rsa -traditional -aes256"})
    void anEncryptedKeyIsRefusedWithTheCommandThatHelps(String command) throws Exception {
        make("rsa");
        var encrypt = new ArrayList<>(List.of(command.split(" ")));
        encrypt.addAll(List.of("-passout", "pass:secret", "-in", file("key.pem"), "-out", file("encrypted")));
        openssl(encrypt.toArray(String[]::new));
        Files.delete(folder.resolve("key.pem"));
        var settings = TlsSettings.ofPem(folder.resolve("certificate.pem"), folder.resolve("encrypted"));
        var e = assertThrows(IOException.class, () -> site(settings));
        assertEquals(file("encrypted") + ": the key is encrypted; openssl pkey -in FILE -out NEW decrypts it",
                e.getMessage());
        openssl("pkey", "-in", file("encrypted"), "-out", file("key.pem"), "-passin", "pass:secret");
        assertServes(settings());
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", ""})
    void aStoreOfOpensslIsTaken(String password) throws Exception {
        make("P-256");
        openssl("pkcs12", "-export", "-in", file("certificate.pem"), "-inkey", file("key.pem"), "-out",
                file("store.p12"), "-passout", "pass:" + password);
        Path store = folder.resolve("store.p12");
        assertServes(TlsSettings.ofKeyStore(store, password.toCharArray()));
        var wrong = TlsSettings.ofKeyStore(store, "p\u00e4ss".toCharArray());
        String why = assertThrows(IOException.class, () -> site(wrong)).getMessage();
        assertTrue(why.startsWith(store + ": keystore password was incorrect ("), why);
    }

    /** As an authority gives it out: a certificate, and that of its issuer. */
    @Test
    void aChainIsSentAsItIsInTheFile() throws Exception {
        make("P-256");
        for (String name : List.of("issuer", "leaf")) {
            String above = name.equals("issuer") ? "certificate.pem" : "issuer.pem";
            String aboveKey = name.equals("issuer") ? "key.pem" : "issuer-key.pem";
            openssl("req", "-new", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=" + name, "-keyout",
                    file(name + "-key.pem"), "-out", file(name + ".csr"));
            Path extensions = Files.writeString(folder.resolve("extensions"), name.equals("issuer")
                    ? "basicConstraints=CA:true\n" : "subjectAltName=DNS:localhost\n");
            openssl("x509", "-req", "-in", file(name + ".csr"), "-CA", file(above), "-CAkey", file(aboveKey),
                    "-days", "2", "-extfile", "" + extensions, "-out", file(name + ".pem"));
        }
        String both = Files.readString(folder.resolve("leaf.pem"))
                + Files.readString(folder.resolve("issuer.pem"));
        Path chain = Files.writeString(folder.resolve("chain.pem"), both);
        assertServes(TlsSettings.ofPem(chain, folder.resolve("leaf-key.pem")));
    }

    /** As certbot does: the files are links, and the links are replaced. */
    @Test
    void linksThatAreReplacedAreNoticed() throws Exception {
        for (String kind : List.of("P-256", "P-384")) {
            make(kind);
            for (String name : List.of("certificate.pem", "key.pem")) {
                Files.move(folder.resolve(name), folder.resolve(kind + name));
            }
        }
        link("P-256");
        try (var site = site(settings())) {
            assertEquals("/a", curl(site));
            link("P-384");
            while (site.log.count("tls_reload") == 0) {
                curl(site, "--insecure");
            }
            assertEquals("/a", curl(site));
        }
    }

    private void link(String kind) throws IOException {
        for (String name : List.of("certificate.pem", "key.pem")) {
            Path link = Files.createSymbolicLink(folder.resolve("new"), Path.of(kind + name));
            Files.move(link, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @ParameterizedTest
    @CsvSource({"-tls1, alert protocol version", "-tls1_1, alert protocol version",
        "-tls1_2, Cipher is ECDHE", "-tls1_3, Cipher is TLS_AES"})
    void theVersionsAre12And13(String version, String expected) throws Exception {
        make("P-256");
        try (var site = site(settings())) {
            // without the level the client refuses old versions itself
            Process client = new ProcessBuilder("openssl", "s_client", "-connect", "127.0.0.1:" + site.port(),
                    version, "-cipher", "DEFAULT:@SECLEVEL=0").redirectErrorStream(true).start();
            client.getOutputStream().close();
            String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(output.contains(expected), output);
        }
    }
}
