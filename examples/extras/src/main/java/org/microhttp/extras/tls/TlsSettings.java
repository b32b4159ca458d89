package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/**
 * Where the certificate and its key are, who may connect, and the limits of the front. Settings are
 * immutable, and any number of threads may use them: each {@code with} method returns a changed copy.
 */
public final class TlsSettings {

    /** TLS 1.0 and 1.1 must not be used (RFC 8996 §4, §5). */
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /** Of what a client offers; one that offers neither is refused (RFC 7301 §3.2). */
    private static final String[] PROTOCOLS = {"http/1.1", "http/1.0"};

    /** Sessions of TLS 1.2 that are kept for clients without tickets; the JDK's 20,480 may take too much. */
    private static final int SESSIONS = 1_000;

    /** The certificate and the key, which may be one file; or a key store alone. */
    private final List<Path> files;

    /** Of the key store; null for PEM files. */
    private final char[] password;

    /** Null if engines are made of files. */
    private final Engines engines;

    final Values values;

    /** What may be set; not changed once it is in settings. */
    static final class Values implements Cloneable {

        Duration handshakeTimeout = Duration.ofSeconds(10);
        int maxConnections = 1_000;
        boolean loopback;

        /** Null if no certificate of a client is asked for. */
        private Path authorities;
        private boolean required;

        @Override
        protected Values clone() {
            try {
                return (Values) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private TlsSettings(List<Path> files, char[] password, Engines engines, Values values) {
        this.files = files;
        this.password = password;
        this.engines = engines;
        this.values = values;
    }

    private TlsSettings with(Consumer<Values> change) {
        Values changed = values.clone();
        change.accept(changed);
        return new TlsSettings(files, password, engines, changed);
    }

    /**
     * Takes PEM files, as OpenSSL writes them.
     *
     * @param certificate the server's certificate, and after it those that lead to a known authority
     * @param key         its key, not encrypted, in PKCS#8, PKCS#1 or SEC 1; may be the same file
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofPem(Path certificate, Path key) {
        return new TlsSettings(List.of(certificate, key), null, null, new Values());
    }

    /**
     * Takes a key store of any kind that the JDK knows, as {@code keytool} makes it.
     *
     * @param file the key store
     * @param password of the store and of its key; copied
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofKeyStore(Path file, char[] password) {
        return new TlsSettings(List.of(file), password.clone(), null, new Values());
    }

    /**
     * Takes engines that the program makes, instead of files; one thread of the front calls this.
     *
     * @param engines makes one for each connection
     * @return settings with the defaults otherwise
     */
    public static TlsSettings ofEngines(Engines engines) {
        return new TlsSettings(List.of(), null, engines, new Values());
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
     * Asks clients for a certificate; default: no. A certificate that none of the authorities has issued, or
     * that is not valid now, ends the handshake. Revocation is not checked.
     *
     * @param pem  the authorities' certificates
     * @param must whether a client without a certificate is refused
     * @return a changed copy
     */
    public TlsSettings withClientCertificates(Path pem, boolean must) {
        return with(v -> {
            v.authorities = pem;
            v.required = must;
        });
    }

    /**
     * Limits the time from the connect to the end of the handshake; default 10 s.
     *
     * @param time 1 ms to 365 days
     * @return a changed copy
     */
    public TlsSettings withHandshakeTimeout(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofDays(365)) > 0) {
            throw new IllegalArgumentException(
                    "handshakeTimeout is " + time + "; allowed: PT0.001S to PT8760H");
        }
        return with(v -> v.handshakeTimeout = time);
    }

    /**
     * Limits the connections that are open at once, handshakes included; default 1,000. If {@link
     * org.microhttp.Options#withMaxConnections} is smaller, that counts. The next client takes the place of
     * the oldest that has sent nothing of a request yet; without such a one it waits.
     *
     * @param n 1 or more
     * @return a changed copy
     */
    public TlsSettings withMaxConnections(int n) {
        if (n < 1) {
            throw new IllegalArgumentException(
                    "maxConnections is " + n + "; allowed: 1 to " + Integer.MAX_VALUE);
        }
        return with(v -> v.maxConnections = n);
    }

    /**
     * Has the server listen at a port of 127.0.0.1 instead of a Unix domain socket, which needs a locale of
     * UTF-8. Any program of this machine can connect there, without TLS, and claim to come from any address.
     *
     * @return a changed copy
     */
    public TlsSettings withLoopback() {
        return with(v -> v.loopback = true);
    }

    /** What the context is made of. */
    List<Path> files() {
        var all = new ArrayList<>(files);
        if (values.authorities != null) {
            all.add(values.authorities);
        }
        return all;
    }

    /** Reads the files; the message says what is wrong with which. Null if there are none. */
    SSLContext context() throws IOException {
        if (engines != null) {
            return null;
        }
        try {
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(password == null ? pemStore() : keyStore(), password == null ? new char[0] : password);
            TrustManagerFactory trust = null;
            if (values.authorities != null) {
                trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(store(new PemFile(values.authorities).certificates()));
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust == null ? null : trust.getTrustManagers(), null);
            context.getServerSessionContext().setSessionCacheSize(SESSIONS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(files.get(0) + ": " + e.getMessage(), e);
        }
    }

    private KeyStore keyStore() throws IOException, GeneralSecurityException {
        Path file = files.get(0);
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException("" + file);
        }
        try {
            return KeyStore.getInstance(file.toFile(), password);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private KeyStore pemStore() throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = new PemFile(files.get(0)).certificates();
        PrivateKey key = new PemFile(files.get(1)).key(chain.get(0).getPublicKey());
        KeyStore store = store(List.of());
        store.setKeyEntry("key", key, new char[0], chain.toArray(X509Certificate[]::new));
        return store;
    }

    private static KeyStore store(List<X509Certificate> trusted)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate certificate : trusted) {
            store.setCertificateEntry("" + store.size(), certificate);
        }
        return store;
    }

    SSLEngine engine(SSLContext context, InetSocketAddress client) throws IOException {
        if (engines != null) {
            return engines.make(client);
        }
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(PROTOCOLS);
        if (values.authorities != null && values.required) {
            parameters.setNeedClientAuth(true);
        } else {
            parameters.setWantClientAuth(values.authorities != null);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }
}
