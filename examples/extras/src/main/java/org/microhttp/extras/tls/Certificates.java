package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The certificates as they are in the files now. Files that change are read again, at most once a second,
 * when a client connects; if what is read then is wrong, as between the writes of certificate and key, that
 * is reported, and what was read before holds until the files change again. For one thread.
 */
final class Certificates {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final TlsSettings settings;
    private final FrontLog log;
    private List<Object> versions;
    private long looked;
    private SSLContext context;

    /** @throws IOException that says what is wrong with which file */
    Certificates(TlsSettings settings, FrontLog log) throws IOException {
        this.settings = settings;
        this.log = log;
        // before they are read, so that a change while they are is noticed later
        versions = versions();
        context = settings.context();
        looked = System.nanoTime();
    }

    /** An engine that waits for the client's first message. */
    SSLEngine engine(InetSocketAddress client) throws IOException {
        if (System.nanoTime() - looked >= LOOK_NANOS) {
            look();
            looked = System.nanoTime();
        }
        SSLEngine engine = settings.engine(context, client);
        engine.beginHandshake();
        return engine;
    }

    private void look() {
        try {
            List<Object> now = versions();
            if (now.equals(versions)) {
                return;
            }
            versions = now;
            context = settings.context();
            log.report("tls_reload", null, null);
        } catch (IOException | RuntimeException e) {
            // a file that is missing has no version, and is tried, and reported, each time
            log.report("tls_reload_error", null, e);
        }
    }

    private List<Object> versions() throws IOException {
        var all = new ArrayList<Object>();
        for (Path file : settings.files()) {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            all.add(List.of(found.lastModifiedTime(), found.size(), "" + found.fileKey()));
        }
        return all;
    }
}
