package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.microhttp.load.BodyServer;
import org.microhttp.load.Floor;
import org.microhttp.load.JdkServer;
import org.microhttp.load.ThroughputServer;

/**
 * How each server is started: with one thread that serves, without an access log, and so that a connection
 * stays open for as long as it is used. nginx and HAProxy answer from their configuration; lighttpd cannot,
 * and answers from a file.
 */
record StartCommand(String java, String classes, String folder, String port) {

    /** What the result file shows: nothing of where things are on this machine. */
    static final StartCommand SHOWN = new StartCommand("java", "CLASSES", "FOLDER", "PORT");

    private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m");

    private static final String NGINX = """
            daemon off; worker_processes 1; user root; pid nginx.pid; error_log nginx.log crit;
            events { worker_connections 4096; multi_accept on; }
            http {
                access_log off; default_type text/plain; tcp_nodelay on;
                keepalive_timeout 1h; keepalive_requests 1000000000; keepalive_time 1h;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                server {
                    listen 127.0.0.1:PORT backlog=4096;
                    ANSWER
                }
            }
            """;

    /** nginx's, of a file. */
    private static final String FILE = "root FOLDER; sendfile on; tcp_nopush on; open_file_cache max=10;";

    private static final String HAPROXY = """
            global
                nbthread 1
                maxconn 4096
            defaults
                mode http
                timeout client 1h
                timeout server 1h
                timeout connect 5s
                timeout http-keep-alive 1h
            frontend all
                bind 127.0.0.1:PORT backlog 4096
                http-request return status 200 content-type text/plain string "hello world\\n"
            """;

    private static final String LIGHTTPD = """
            server.bind = "127.0.0.1"
            server.port = PORT
            server.document-root = "FOLDER"
            server.errorlog = "FOLDER/lighttpd.log"
            server.listen-backlog = 4096
            server.max-fds = 4096
            server.max-keep-alive-idle = 3600
            server.max-keep-alive-requests = 65535
            mimetype.assign = ( "" => "text/plain" )
            """;

    List<String> of(Peer peer, Scenario scenario) {
        return switch (peer) {
            case NGINX -> List.of("nginx", "-p", folder, "-c", configuration(peer));
            case HAPROXY -> List.of("haproxy", "-db", "-q", "-f", configuration(peer));
            case LIGHTTPD -> List.of("lighttpd", "-D", "-f", configuration(peer));
            case FLOOR -> java(List.of(), Floor.class.getName(), peer.mode(scenario));
            case MICROHTTP, FRESH -> {
                if (!scenario.isLarge()) {
                    yield java(List.of(), ThroughputServer.class.getName(), peer.mode(scenario));
                }
                yield java(List.of(), BodyServer.class.getName(), List.of("direct", folder + "/plaintext"));
            }
            case JDK -> java(List.of("-Dsun.net.httpserver.nodelay=true",
                    "-Dsun.net.httpserver.maxIdleConnections=4096"), JdkServer.class.getName(), List.of());
        };
    }

    private List<String> java(List<String> properties, String program, List<String> mode) {
        return Stream.of(List.of(java), JVM, properties, List.of("-cp", classes, program, port), mode)
                .flatMap(List::stream).toList();
    }

    private String configuration(Peer peer) { return folder + "/" + peer.name + ".conf"; }

    void configure(Peer peer, Scenario scenario) throws IOException {
        Files.writeString(Path.of(folder, "plaintext"), scenario.body);
        if (peer.isJava()) return;
        String text = switch (peer) {
            case NGINX -> NGINX;
            case HAPROXY -> HAPROXY;
            case LIGHTTPD -> LIGHTTPD;
            default -> throw new IllegalArgumentException(peer.name + " has no configuration");
        };
        String answer = scenario.isLarge() ? FILE : "location / { return 200 \"hello world\\n\"; }";
        String filled = text.replace("ANSWER", answer).replace("PORT", port).replace("FOLDER", folder);
        Files.writeString(Path.of(configuration(peer)), filled);
    }
}
