package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/** A server with TLS on a free port, whose events can be awaited. */
public final class TlsSite implements AutoCloseable {

    public static final TlsFiles FILES = TlsFiles.of("EC one");

    public final RecordingLogger log = new RecordingLogger();
    public final TlsServer server;

    public TlsSite(Handler handler) throws IOException {
        this(TestServer.options(), settings -> settings, handler);
    }

    public TlsSite(Options options, UnaryOperator<TlsSettings> change, Handler handler) throws IOException {
        this(options, change.apply(TlsSettings.ofKeyStore(FILES.keyStore, TlsFiles.PASSWORD)), handler);
    }

    public TlsSite(Options options, TlsSettings settings, Handler handler) throws IOException {
        server = new TlsServer(options, log, handler, settings);
        server.startAsync();
    }

    public int port() {
        return server.getPort();
    }

    public TlsClient connect(String version) throws IOException, GeneralSecurityException {
        return new TlsClient(port(), FILES.client(), version);
    }

    /** Of TLS 1.3. */
    public TlsClient connect() throws IOException, GeneralSecurityException {
        return connect("TLSv1.3");
    }

    /** A client of its own is answered. */
    public void assertServes() throws IOException, GeneralSecurityException {
        try (var client = connect()) {
            client.get("/alive").readUntil("\r\n\r\n");
        }
    }

    /** Waits until {@code start} has returned. */
    public void join() {
        server.ended().join();
    }

    /** A worker that has ended may still be on its way out of its executor. */
    public static void assertNoThreadIsLeft() throws InterruptedException {
        for (Thread thread : TestServer.threads("tls")) {
            thread.join(10_000);
        }
        assertEquals(List.of(), TestServer.threads("tls"));
    }

    @Override
    public void close() {
        server.close();
        join();
    }
}
