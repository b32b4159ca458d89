package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.microhttp.load.BodyServer;

/**
 * How each server of files is started: with one thread or process that serves, without an access log, and so
 * that a connection stays open for as long as it is used; and the proxy that speaks TLS for it.
 */
public record FileCommand(String java, String classes, String folder, String root, String cache,
                          String port) {

    /**
     * What nginx and lighttpd are set up for.
     *
     * @param workers      processes that serve
     * @param connections  of one of nginx's
     * @param cached       files that one of nginx's keeps open: with its connections as many as it may
     */
    public record Capacity(int workers, int connections, int cached) {

        private static final Capacity ONE = new Capacity(1, 16384, 2000);
    }

    /** What the result file shows: nothing of where things are on this machine. */
    public static final FileCommand SHOWN =
            new FileCommand("java", "CLASSES", "FOLDER", "ROOT", "CACHE", "PORT");

    public static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    /** The 5 GB file must not need a heap. */
    private static final List<String> SMALL_JVM = List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx64m");

    private static final String NGINX = """
            daemon off; worker_processes WORKERS; worker_rlimit_nofile 20000; user root;
            pid nginx.pid; error_log nginx.log crit;
            events { worker_connections CONNECTIONS; multi_accept on; }
            http {
                access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; gzip_static on;
                open_file_cache max=CACHED inactive=60s; open_file_cache_valid 1s; open_file_cache_min_uses 1;
                keepalive_timeout 1h; keepalive_requests 1000000000; keepalive_time 1h;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                server { listen 127.0.0.1:PORT backlog=16384SHARED; root ROOT; }
            }
            """;

    private static final String LIGHTTPD = """
            server.bind = "127.0.0.1"
            server.port = PORT
            server.document-root = "ROOT"
            server.errorlog = "FOLDER/lighttpd.log"
            server.listen-backlog = 16384
            server.max-fds = 20000
            server.max-connections = 12000
            server.max-worker = WORKERS
            server.max-keep-alive-idle = 3600
            server.max-keep-alive-requests = 0
            mimetype.assign = ( "" => "application/octet-stream" )
            """;

    private static final String APACHE = """
            ServerRoot "FOLDER"
            DefaultRuntimeDir "FOLDER"
            ServerName localhost
            PidFile FOLDER/apache.pid
            ErrorLog FOLDER/apache.log
            LogLevel crit
            Listen 127.0.0.1:PORT
            ListenBacklog 16384
            LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
            LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
            User www-data
            Group www-data
            StartServers 1
            ServerLimit 1
            ThreadLimit 64
            ThreadsPerChild 64
            MaxRequestWorkers 64
            AsyncRequestWorkerFactor 200
            MaxConnectionsPerChild 0
            Timeout 3600
            KeepAlive On
            KeepAliveTimeout 3600
            MaxKeepAliveRequests 0
            EnableSendfile On
            DocumentRoot "ROOT"
            <Directory />
                AllowOverride None
                Require all granted
            </Directory>
            """;

    /** Two descriptors for a client, of 20,000. */
    private static final String HAPROXY = """
            global
                nbthread 1
                maxconn 9900
            defaults
                mode http
                timeout client 1h
                timeout server 1h
                timeout connect 5s
                timeout http-keep-alive 1h
                http-reuse always
            listen all
                bind 127.0.0.1:PORT ssl crt CERTIFICATE alpn http/1.1 backlog 16384
                server one 127.0.0.1:BEHIND
            """;

    public List<String> of(FilePeer peer, FilePart part) {
        boolean huge = part == FilePart.HUGE;
        return switch (peer) {
            case FILES -> fileServer(huge ? SMALL_JVM : JVM, "0");
            case MEMORY -> fileServer(JVM, "64m");
            case NGINX -> List.of("nginx", "-p", folder, "-c", configuration(peer));
            case LIGHTTPD -> List.of("lighttpd", "-D", "-f", configuration(peer));
            case APACHE -> List.of("apache2", "-d", folder, "-f", configuration(peer), "-DFOREGROUND");
            case PYTHON -> List.of("python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", root,
                    port);
            case ARRAY -> bodyServer("array");
            case DIRECT -> bodyServer("direct");
            case REGION -> bodyServer("file");
        };
    }

    private List<String> fileServer(List<String> jvm, String memory) {
        List<String> flags = List.of("--root", root, "--cache", cache, "--memory", memory, "--threads", "1",
                "--address", "127.0.0.1", "--port", port, "--listen-backlog", "16384");
        return java(jvm, "fileserver.FileServer", flags);
    }

    private List<String> bodyServer(String kind) {
        String file = root + ServedContent.LARGE.target();
        return java(JVM, BodyServer.class.getName(), List.of(port, kind, file));
    }

    public List<String> java(List<String> jvm, String program, List<String> arguments) {
        return Stream.of(List.of(java), jvm, List.of("-cp", classes, program), arguments)
                .flatMap(List::stream).toList();
    }

    private String configuration(FilePeer peer) { return folder + "/" + peer.name + ".conf"; }

    void configure(FilePeer peer) throws IOException { configure(peer, Capacity.ONE); }

    /** Writes the configuration of a server that has one. */
    public void configure(FilePeer peer, Capacity capacity) throws IOException {
        boolean one = capacity.workers == 1;
        String text = switch (peer) {
            case NGINX -> NGINX.replace("WORKERS", "" + capacity.workers)
                    .replace("CONNECTIONS", "" + capacity.connections).replace("CACHED", "" + capacity.cached)
                    .replace("SHARED", one ? "" : " reuseport");
            // none is a process that serves itself
            case LIGHTTPD -> LIGHTTPD.replace("WORKERS", one ? "0" : "" + capacity.workers);
            case APACHE -> APACHE;
            default -> "";
        };
        String filled = text.replace("PORT", port).replace("FOLDER", folder).replace("ROOT", root);
        if (!filled.isEmpty()) Files.writeString(Path.of(configuration(peer)), filled);
    }

    /** The proxy that speaks TLS on a port for what listens on another. */
    List<String> proxy(String certificate, String behind) throws IOException {
        Path file = Path.of(folder, "haproxy.conf");
        Files.writeString(file, HAPROXY.replace("PORT", port).replace("CERTIFICATE", certificate)
                .replace("BEHIND", behind));
        return List.of("haproxy", "-db", "-q", "-f", "" + file);
    }
}
