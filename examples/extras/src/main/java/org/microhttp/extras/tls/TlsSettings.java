package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLEngine;

/**
 * Where the certificates and their keys are, which clients may connect, and the limits of the front. Settings
 * are immutable, and any number of threads may use them: each {@code with} method returns a changed copy. For
 * example, with certificates for two hosts:
 * <pre>{@code
 *   TlsSettings tls = TlsSettings.ofPem(Path.of("a.pem"), Path.of("a-key.pem"))
 *           .withPem(Path.of("b.pem"), Path.of("b-key.pem"))
 *           .withMinVersion("TLSv1.3");
 * }</pre>
 * Files are read when the server is made, and again when they have changed.
 */
public final class TlsSettings {

    /** TLS 1.0 and 1.1 must not be used (RFC 8996 §4, §5). */
    private static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");

    private static final Duration SHORTEST = Duration.ofMillis(1), LONGEST = Duration.ofDays(365);

    private static final Map<String, Object> DEFAULTS = new LinkedHashMap<>();

    static {
        DEFAULTS.put("keys", List.of());
        DEFAULTS.put("engines", null);
        DEFAULTS.put("minVersion", VERSIONS.get(0));
        DEFAULTS.put("authorities", null);
        DEFAULTS.put("certificateRequired", false);
        DEFAULTS.put("handshakeTimeout", Duration.ofSeconds(10));
        DEFAULTS.put("loopback", false);
    }

    private final Map<String, Object> values;

    private TlsSettings(Map<String, Object> values) {
        this.values = values;
    }

    private TlsSettings with(String name, Object value) {
        var changed = new LinkedHashMap<>(values);
        changed.put(name, value);
        return new TlsSettings(changed);
    }

    /** Returns a value, whose type is that of its default and of its setter. */
    @SuppressWarnings("unchecked")
    private <T> T get(String name) {
        return (T) values.get(name);
    }

    /**
     * Takes PEM files, as OpenSSL and certbot write them.
     *
     * @param certificate the server's certificate, followed by each issuer's up to a known authority
     * @param key         its key, RSA, EC or Ed25519, not encrypted, in PKCS#8, PKCS#1 or SEC 1; may be the
     *                    same file
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofPem(Path certificate, Path key) {
        return new TlsSettings(DEFAULTS).withPem(certificate, key);
    }

    /**
     * Takes a key store of any kind that the JDK knows, such as PKCS#12. Of several certificates in it the
     * first is the default, see {@link #withPem}.
     *
     * @param file     the key store
     * @param password of the store and of its keys; copied
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofKeyStore(Path file, char[] password) {
        return new TlsSettings(DEFAULTS).withFiles(KeyFiles.ofStore(file, password.clone()));
    }

    /**
     * Takes engines that the program makes, instead of files; one thread of the front calls this.
     *
     * @param engines makes one for each connection
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofEngines(Engines engines) {
        return new TlsSettings(DEFAULTS).with("engines", Objects.requireNonNull(engines, "engines"));
    }

    /**
     * Makes the engine of a connection: of the server's side, and with the versions and ciphers it allows.
     */
    @FunctionalInterface
    public interface Engines {

        /**
         * May wait, and fail: then the connection is closed, and {@code tls_error} logged.
         *
         * @param client its remote address
         * @return a new engine
         * @throws IOException if there is none for this client
         */
        SSLEngine make(InetSocketAddress client) throws IOException;
    }

    /**
     * Adds a certificate for other hosts. Its hosts are the DNS names of its {@code subjectAltName}, which
     * may begin with {@code *.} for one label. A client gets the first certificate with the host that it asks
     * for (SNI, RFC 6066 §3), of a kind of key that it knows; exact names count before those with {@code *}.
     * A client that asks for no host, or for another one, gets the first of all. Certificates with the same
     * hosts and different kinds of keys, RSA and EC for example, may be used together.
     *
     * @param certificate as for {@link #ofPem}
     * @param key         as for {@link #ofPem}
     * @return a changed copy
     * @throws IllegalStateException for settings with engines
     */
    public TlsSettings withPem(Path certificate, Path key) {
        return withFiles(KeyFiles.ofPem(certificate, key));
    }

    private TlsSettings withFiles(KeyFiles files) {
        checkNoEngines();
        var all = new ArrayList<>(keys());
        all.add(files);
        return with("keys", List.copyOf(all));
    }

    private void checkNoEngines() {
        if (engines() != null) {
            throw new IllegalStateException("engines have their own certificates, clients and versions");
        }
    }

    /**
     * Sets the oldest version of TLS that clients may use; default {@code "TLSv1.2"}.
     *
     * @param version {@code "TLSv1.2"} or {@code "TLSv1.3"}
     * @return a changed copy
     * @throws IllegalArgumentException for another version
     * @throws IllegalStateException    for settings with engines
     */
    public TlsSettings withMinVersion(String version) {
        checkNoEngines();
        if (!VERSIONS.contains(version)) {
            throw new IllegalArgumentException(
                    "minVersion is " + version + "; allowed: " + String.join(", ", VERSIONS));
        }
        return with("minVersion", version);
    }

    /**
     * Asks clients for a certificate; by default they are not asked. One that these authorities have not
     * issued is refused; revocation is not checked. A handler finds a client's certificate by {@link
     * TlsServer}.
     *
     * @param pem  a file with the authorities' certificates
     * @param must whether a client without a certificate is refused
     * @return a changed copy
     * @throws IllegalStateException for settings with engines
     */
    public TlsSettings withClientCertificates(Path pem, boolean must) {
        checkNoEngines();
        return with("authorities", Objects.requireNonNull(pem, "pem")).with("certificateRequired", must);
    }

    /**
     * Limits the time from the connect to the end of the handshake; default 10 s.
     *
     * @param time 1 ms to 365 days
     * @return a changed copy
     * @throws IllegalArgumentException if the time is out of its range
     */
    public TlsSettings withHandshakeTimeout(Duration time) {
        if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "handshakeTimeout is " + time + "; allowed: " + SHORTEST + " to " + LONGEST);
        }
        return with("handshakeTimeout", time);
    }

    /**
     * Has the server listen at a port of 127.0.0.1 instead of a Unix domain socket, which needs a locale of
     * UTF-8. Any program of this machine can connect there, without TLS, and claim to come from any address,
     * and so to have the certificate of a client at that address.
     *
     * @return a changed copy
     */
    public TlsSettings withLoopback() {
        return with("loopback", true);
    }

    /** Where certificates are, the default first; empty if there are engines. */
    List<KeyFiles> keys() {
        return get("keys");
    }

    /** Null if there are files. */
    Engines engines() {
        return get("engines");
    }

    /** The versions that clients may use. */
    String[] versions() {
        String least = get("minVersion");
        return VERSIONS.subList(VERSIONS.indexOf(least), VERSIONS.size()).toArray(String[]::new);
    }

    /** Null if clients are not asked for a certificate. */
    Path authorities() {
        return get("authorities");
    }

    boolean certificateRequired() {
        return get("certificateRequired");
    }

    Duration handshakeTimeout() {
        return get("handshakeTimeout");
    }

    boolean loopback() {
        return get("loopback");
    }
}
