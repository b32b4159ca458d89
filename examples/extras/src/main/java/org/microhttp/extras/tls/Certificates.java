package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificates in the files. Changed files are read again when a client connects, at most once a second.
 * If files cannot be read or do not match, as between the writes of certificate and key, the error is logged
 * once, and the previous certificates are used; the files are read again every second. For one thread.
 */
final class Certificates {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A client that offers protocols, but none of these, is refused (RFC 7301 §3.2). */
    private static final String[] PROTOCOLS = {"http/1.1", "http/1.0"};

    /** TLS 1.2 sessions kept for clients without tickets; the JDK's 20,480 may need too much memory. */
    private static final int SESSIONS = 1_000;

    private final TlsSettings settings;
    private final FrontLog log;

    /** Identifies the contents in use; null if the files have to be read again. */
    private List<Object> versions;
    private long looked;

    /** Null if the program makes engines. */
    private SSLContext context;

    /** The error that was logged last; null if the newest files are in use. */
    private String wrong;

    /** @throws IOException that names the file and the error */
    Certificates(TlsSettings settings, FrontLog log) throws IOException {
        this.settings = settings;
        this.log = log;
        // before the files are read, so that a change during the reading is noticed later
        versions = versions();
        context = settings.engines() == null ? read() : null;
        looked = System.nanoTime();
    }

    /** An engine that waits for the client's first message. */
    SSLEngine engine(InetSocketAddress client) throws IOException {
        if (System.nanoTime() - looked >= LOOK_NANOS) {
            look();
            looked = System.nanoTime();
        }
        SSLEngine engine = settings.engines() == null ? engine() : settings.engines().make(client);
        engine.beginHandshake();
        return engine;
    }

    private SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(settings.versions());
        parameters.setApplicationProtocols(PROTOCOLS);
        // of want and need the later call counts
        parameters.setWantClientAuth(settings.authorities() != null);
        if (settings.certificateRequired()) {
            parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private void look() {
        try {
            List<Object> now = versions();
            if (now.equals(versions)) {
                return;
            }
            context = read();
            versions = now;
            wrong = null;
            log.report("tls_reload", null, null);
        } catch (IOException | RuntimeException e) {
            // reads again even without a change of the files: the cause may be a lack of descriptors
            versions = null;
            if (!e.toString().equals(wrong)) {
                wrong = e.toString();
                log.report("tls_reload_error", null, e);
            }
        }
    }

    private Set<Path> files() {
        var all = new LinkedHashSet<Path>();
        settings.keys().forEach(files -> all.addAll(files.paths()));
        if (settings.authorities() != null) {
            all.add(settings.authorities());
        }
        return all;
    }

    private List<Object> versions() throws IOException {
        var all = new ArrayList<Object>();
        for (Path file : files()) {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            all.add(List.of(found.lastModifiedTime(), found.size(), "" + found.fileKey()));
        }
        return all;
    }

    private SSLContext read() throws IOException {
        var keys = new ArrayList<NamedKey>();
        for (KeyFiles files : settings.keys()) {
            keys.addAll(files.read());
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new NamedKeys(keys)}, trusted(), null);
            context.getServerSessionContext().setSessionCacheSize(SESSIONS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("no context for TLS can be made: " + e.getMessage(), e);
        }
    }

    /** Trusts the issuers of clients' certificates; empty if clients are not asked for one. */
    private TrustManager[] trusted() throws IOException, GeneralSecurityException {
        if (settings.authorities() == null) {
            return new TrustManager[0];
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate certificate : new PemFile(settings.authorities()).certificates()) {
            store.setCertificateEntry("" + store.size(), certificate);
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
