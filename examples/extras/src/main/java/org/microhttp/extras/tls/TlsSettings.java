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
 * Where the certificates and their keys are, which clients may connect, and how long a handshake may take.
 * Settings are immutable, and any number of threads may use them: each {@code with} method returns a changed
 * copy. For example, with certificates for two hosts:
 * <pre>{@code
 *   TlsSettings tls = TlsSettings.ofPem(Path.of("a.pem"), Path.of("a-key.pem"))
 *           .withPem(Path.of("b.pem"), Path.of("b-key.pem"))
 *           .withMinVersion("TLSv1.3");
 * }</pre>
 * The constructor of the server reads the files. Changed files are read again when a client connects, at most
 * once a second. If they have an error, it is logged, and the previous ones stay in use.
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

    /** Returns a value. Its type is that of its default. */
    @SuppressWarnings("unchecked")
    private <T> T get(String name) {
        return (T) values.get(name);
    }

    /**
     * Takes PEM files, as OpenSSL and certbot write them.
     *
     * @param certificate the server's certificate, followed by those of its issuers, up to an authority that
     *                    clients know
     * @param key         the certificate's key: RSA, EC or Ed25519, not encrypted, in PKCS#8, PKCS#1 or
     *                    SEC 1; may be the same file
     * @return settings with this certificate and the defaults
     */
    public static TlsSettings ofPem(Path certificate, Path key) {
        return new TlsSettings(DEFAULTS).withPem(certificate, key);
    }

    /**
     * Takes a key store of any kind that the JDK knows, such as PKCS#12. If the store has several
     * certificates, the first is the default: see {@link #withPem}.
     *
     * @param file     the key store
     * @param password of the store and of its keys; the array is copied
     * @return settings with this store and the defaults
     */
    public static TlsSettings ofKeyStore(Path file, char[] password) {
        return new TlsSettings(DEFAULTS).withFiles(KeyFiles.ofStore(file, password.clone()));
    }

    /**
     * Takes TLS engines that the program makes, instead of files.
     *
     * @param engines makes the engine of each connection
     * @return settings with these engines and the defaults
     */
    public static TlsSettings ofEngines(Engines engines) {
        return new TlsSettings(DEFAULTS).with("engines", Objects.requireNonNull(engines, "engines"));
    }

    /** Makes the TLS engine of a connection; one thread calls this for all connections. */
    @FunctionalInterface
    public interface Engines {

        /**
         * Makes an engine. A call that blocks delays other handshakes. If the call throws, the connection is
         * closed, and {@code tls_error} logged.
         *
         * @param client the client's address
         * @return a new engine in server mode, with the versions and ciphers to allow
         * @throws IOException if this client gets no engine
         */
        SSLEngine make(InetSocketAddress client) throws IOException;
    }

    /**
     * Adds a certificate for other hosts. Its hosts are the DNS names of its {@code subjectAltName}, which
     * may begin with {@code *.} for one label. A client gets the first certificate for the host that it names
     * (SNI, RFC 6066 §3) whose kind of key it supports; exact names precede those with {@code *}. A client
     * that names no host, or an unknown one, gets the default, which is the first certificate. Certificates
     * for the same hosts may have different kinds of keys, such as RSA and EC.
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
     * Asks clients for a certificate; by default they are not asked. A certificate that none of these
     * authorities has issued is refused; revocation is not checked. {@link TlsServer} shows how a handler
     * gets the certificate.
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
     * Limits the time from the accept to the end of the handshake; default 10 s.
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
     * Has the inner server (see {@link TlsServer}) listen at a port of 127.0.0.1 instead of a Unix domain
     * socket (which needs a UTF-8 locale). Any program on this machine can connect to that port without TLS,
     * and claim any address, and so the certificate of a client at that address.
     *
     * @return a changed copy
     */
    public TlsSettings withLoopback() {
        return with("loopback", true);
    }

    /** The files with certificates, the default first; empty if the program makes engines. */
    List<KeyFiles> keys() {
        return get("keys");
    }

    /** Null if certificates are in files. */
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
