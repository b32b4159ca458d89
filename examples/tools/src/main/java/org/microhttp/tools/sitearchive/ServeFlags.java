package org.microhttp.tools.sitearchive;

import java.util.List;
import java.util.stream.Stream;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.servertool.LogFlags;

/** The flags of {@code SiteArchive serve} alone. */
public final class ServeFlags {

    static final Flag ARCHIVE = Flag.of("", "--archive", "FILE", "the archive that is served");

    static final Flag ARCHIVES = Flag.of("", "--archives", "DIR",
            "a folder with an archive for each host, as example.org.cdb");

    static final Flag IN_MEMORY = Flag.of("", "--archive-inmem", "",
            "read the archive into memory outside the heap: its size, twice with --watch, three times with"
                    + " --keep-previous; JDK_JAVA_OPTIONS=-XX:MaxDirectMemorySize=2g allows more than the"
                    + " maximum heap");

    static final Flag MAPPED = Flag.of("", "--archive-mmap", "", "map the archive into memory");

    static final Flag PRELOAD = Flag.of("", "--archive-preload", "",
            "read the archive through once before the first request");

    static final Flag INDEX_PATHS = Flag.of("", "--index-paths", "",
            "keep in memory what paths lead to, instead of looking it up");

    static final Flag INDEX_METADATA = Flag.of("", "--index-data-meta", "", "the same for fields");

    static final Flag INDEX_CONTENTS = Flag.of("", "--index-data-content", "",
            "the same for where contents are");

    static final Flag INDEX_ALL = Flag.of("", "--index-all", "", "all three");

    static final Flag WATCH = Flag.of("", "--watch", "",
            "notice a new archive within a second, check it, and swap it in between two requests");

    static final Flag KEEP_PREVIOUS = Flag.of("", "--keep-previous", "TIME",
            "serve for so long, as 5m, paths that only the previous archive has, without those of its"
                    + " wildcards; at most 24h");

    static final Flag CUT_AFTER = Flag.of("", "--cut-after", "TIME",
            "cut what is still sent of a replaced archive, so long after --keep-previous is over, as 5m;"
                    + " default: 1m with --archive-inmem, where a second swap cuts it, too; else never");

    static final Flag BIND = Flag.of("", "--bind", "IP:PORT",
            "where to listen, instead of --address and --port");

    static final Flag PROCESSES = Flag.of("", "--processes", "N",
            "processes on the port, 1 to 1024, each with --threads; default 1. If more, the one that you"
                    + " start serves no client, and begins each line of another with its number, as [1],"
                    + " but on standard error; in JSON it is the member process. When one ends, all end");

    static final Flag TIMEOUT_DISABLE = Flag.of("", "--timeout-disable", "",
            "timeouts of 365 days, but for the 10 s of a TLS handshake, and no least rate of clients");

    static final Flag SECURITY_DISABLE = Flag.of("", "--security-headers-disable", "",
            "no Referrer-Policy: strict-origin-when-cross-origin, X-Content-Type-Options: nosniff,"
                    + " X-XSS-Protection: 1; mode=block and X-Frame-Options: sameorigin, of which an"
                    + " archive may have others");

    static final Flag SECURITY_TLS = Flag.of("", "--security-headers-tls", "",
            "add Strict-Transport-Security: max-age=31536000 and Content-Security-Policy:"
                    + " upgrade-insecure-requests, unless the archive has others");

    static final Flag DUMMY = Flag.of("", "--dummy", "", "no archive; \"hello world!\" for everything");

    static final Flag DEBUG = Flag.of("", "--debug", "", "as -v");

    static final Flag PROFILE_CPU = Flag.of("", "--profile-cpu", "FILE",
            "where the time goes, by the JDK's flight recorder, written at the end; process 3 writes"
                    + " cpu-3.jfr for cpu.jfr");

    static final Flag PROFILE_MEMORY = Flag.of("", "--profile-mem", "FILE",
            "the same for what is allocated");

    static final Flag REPORT = Flag.of("", "--report", "",
            "a line a second of requests, bytes, 304s and misses");

    static final LogFlags LOG = LogFlags.BESIDE;

    /** Those of no use without an archive. */
    static final List<Flag> OF_ARCHIVES = List.of(ARCHIVE, ARCHIVES, IN_MEMORY, MAPPED, PRELOAD, INDEX_PATHS,
            INDEX_METADATA, INDEX_CONTENTS, INDEX_ALL, WATCH, KEEP_PREVIOUS, CUT_AFTER, SECURITY_DISABLE,
            SECURITY_TLS);

    private static final String PROXY =
            "put a proxy in front that does it, as HAProxy or nginx; examples/site shows how";
    private static final String NO_TLS = "TLS has --tls-certificate and --tls-key here";
    private static final String NO_HTTP2 = "this is an HTTP/1.1 server without HTTP/2; " + PROXY;
    private static final String NO_QUIC = "there is no QUIC and no HTTP/3 here; " + PROXY;

    /** What servers of archives may have, and this one has not. */
    private static final Stream<Flag> REFUSED = Stream.of(
            Stream.of("--bind-tls", "--bind-tls-2", "--tls", "--tls-bundle", "--tls-public", "--tls-private",
                    "--tls-self-rsa", "--tls-self-ed25519", "--cert", "--key")
                    .map(name -> Flag.refused(name, NO_TLS)),
            Stream.of("--http2", "--http2-disable").map(name -> Flag.refused(name, NO_HTTP2)),
            Stream.of("--bind-quic", "--quic", "--http3", "--http3-alt-svc")
                    .map(name -> Flag.refused(name, NO_QUIC)),
            Stream.of(Flag.refused("--http1-disable", "HTTP/1.1 is all there is here; " + PROXY)))
            .flatMap(flags -> flags);

    /** In the order of the help. */
    public static final List<Flag> ALL = Stream.concat(
            Stream.of(ARCHIVE, ARCHIVES, IN_MEMORY, MAPPED, PRELOAD, INDEX_PATHS, INDEX_METADATA,
                    INDEX_CONTENTS, INDEX_ALL, WATCH, KEEP_PREVIOUS, CUT_AFTER, BIND, PROCESSES,
                    TIMEOUT_DISABLE, SECURITY_DISABLE, SECURITY_TLS, DUMMY, DEBUG, PROFILE_CPU,
                    PROFILE_MEMORY, REPORT, LOG.file(), LOG.style(), LOG.trust()),
            REFUSED).toList();

    private ServeFlags() {
    }
}
