package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.*;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.*;
import java.security.cert.Certificate;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.*;

/** Certificates with their keys, made by keytool once for a JVM. */
public final class TlsFiles {

    public static final char[] PASSWORD = "changeit".toCharArray();

    private static final Map<String, TlsFiles> MADE = new ConcurrentHashMap<>();

    public final Path keyStore;
    public final Certificate certificate;
    private final KeyStore store;
    private final Key key;

    /**
     * For localhost and 127.0.0.1.
     *
     * @param name of the subject, which makes it another certificate; its first word is the algorithm
     */
    public static TlsFiles of(String name) {
        return of(name, "dns:localhost,ip:127.0.0.1");
    }

    /** @param hosts as keytool takes them; empty for none */
    public static TlsFiles of(String name, String hosts) {
        return MADE.computeIfAbsent(name, n -> make(n, hosts));
    }

    private static TlsFiles make(String name, String hosts) {
        try {
            return new TlsFiles(name, hosts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TlsFiles(String name, String hosts)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path folder = Files.createTempDirectory("tls-files");
        folder.toFile().deleteOnExit();
        keyStore = folder.resolve("store.p12");
        keyStore.toFile().deleteOnExit();
        String algorithm = name.split(" ")[0];
        Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
        var command = new ArrayList<>(List.of("" + program, "-genkeypair", "-alias", "key", "-keyalg",
                algorithm, "-dname", "CN=" + name, "-validity", "2", "-ext", "bc=ca:true", "-keystore",
                "" + keyStore, "-storetype", "PKCS12", "-storepass", new String(PASSWORD)));
        if (!hosts.isEmpty()) {
            command.addAll(List.of("-ext", "san=" + hosts));
        }
        if (algorithm.equals("EC")) {
            command.addAll(List.of("-groupname", "secp256r1"));
        }
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes());
        assertEquals(0, keytool.waitFor(), output);
        store = KeyStore.getInstance(keyStore.toFile(), PASSWORD);
        certificate = store.getCertificate("key");
        key = store.getKey("key", PASSWORD);
    }

    public String certificatePem() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    /** In PKCS#8. */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /** What is inside of PKCS#8, as older versions of OpenSSL write it: PKCS#1, or SEC 1. */
    public String bareKeyPem() {
        ByteBuffer whole = ByteBuffer.wrap(key.getEncoded());
        enter(whole);
        skip(whole);
        skip(whole);
        byte[] bare = new byte[enter(whole)];
        whole.get(bare);
        return pem(key.getAlgorithm() + " PRIVATE KEY", bare);
    }

    /** Goes to the content of an element, and returns its length. */
    private static int enter(ByteBuffer der) {
        der.get();
        int length = der.get() & 0xFF;
        if (length < 0x80) {
            return length;
        }
        return length == 0x81 ? der.get() & 0xFF : der.getShort() & 0xFFFF;
    }

    private static void skip(ByteBuffer der) {
        int length = enter(der);
        der.position(der.position() + length);
    }

    private static String pem(String label, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }

    /** Writes a key store with all of these. */
    public static Path writeStore(Path file, TlsFiles... all) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (TlsFiles each : all) {
            store.setKeyEntry("" + store.size(), each.key, PASSWORD, new Certificate[] {each.certificate});
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, PASSWORD);
        }
        return file;
    }

    /** A context for a client that trusts this certificate, and has none itself. */
    public SSLContext client() throws GeneralSecurityException, IOException {
        return client(null);
    }

    /** @param own the client's certificate; null for none */
    public SSLContext client(TlsFiles own) throws GeneralSecurityException, IOException {
        return context(own, this);
    }

    /** A context for a client that trusts all of these. */
    public static SSLContext trusting(TlsFiles... servers) throws GeneralSecurityException, IOException {
        return context(null, servers);
    }

    private static SSLContext context(TlsFiles own, TlsFiles... servers)
            throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (TlsFiles server : servers) {
            trusted.setCertificateEntry("" + trusted.size(), server.certificate);
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        KeyManagerFactory keys = null;
        if (own != null) {
            keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own.store, PASSWORD);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
