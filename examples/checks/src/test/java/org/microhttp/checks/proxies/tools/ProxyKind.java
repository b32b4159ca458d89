package org.microhttp.checks.proxies.tools;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A proxy and the way it is set up: one thread, HTTP/1.1 with connections that persist towards the servers,
 * and as lenient and as roomy as its settings allow, so that much reaches the server. Retries and the choice
 * among servers are the proxy's own. It logs a line for each request when that has ended, in a form that is
 * the same for both.
 */
public enum ProxyKind {

    /** Receives a request whole before it connects to a server. */
    NGINX("nginx", "proxy_request_buffering on;"),

    /** Passes a body on as it comes. */
    NGINX_STREAMING("nginx", "proxy_request_buffering off;"),

    /** Keeps what it may, asks whether it is still right when it is no longer fresh, and says how it was. */
    NGINX_CACHING("nginx", "proxy_cache_path cache keys_zone=all:1m; proxy_cache all;"
            + " proxy_cache_revalidate on; add_header X-Cache $upstream_cache_status always;"),

    /** Passes a body on as it comes; a client's first request has a connection to the server of its own. */
    HAPROXY("haproxy", "safe"),

    /** Any request may follow any other on a connection to the server. */
    HAPROXY_SHARING("haproxy", "always");

    private static final String NGINX_CONFIGURATION = """
            daemon off;
            # a single process, which leaves none behind
            master_process off;
            pid nginx.pid;
            error_log stderr error;
            events {
                worker_connections 512;
            }
            http {
                log_format line 'request $remote_port $status [$upstream_addr] [$upstream_bytes_sent]'
                                ' $request_method $request_uri';
                access_log /dev/stdout line;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                client_max_body_size 0;
                client_header_buffer_size 128k;
                large_client_header_buffers 8 512k;
                ignore_invalid_headers off;
                underscores_in_headers on;
                merge_slashes off;
                keepalive_requests 1000000;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                # a client that ends its side still wants its answers
                proxy_ignore_client_abort on;
                %1$s
                upstream servers {
                    %3$s
                    keepalive 16;
                    keepalive_timeout 500ms;
                    keepalive_requests 1000000;
                }
                server {
                    listen 127.0.0.1:%2$d;
                    location / {
                        proxy_pass http://servers;
                    }
                }
            }
            """;

    private static final String HAPROXY_CONFIGURATION = """
            global
                log stdout len 4096 format raw local0
                nbthread 1
                tune.bufsize 600000
                tune.http.maxhdr 1000
            defaults
                mode http
                log global
                log-format "request %%cp %%ST [%%si:%%sp] [%%Tc] %%HM %%HU"
                option accept-invalid-http-request
                # as nginx does: where one does not take the connection, the next is asked at once
                option redispatch 1
                timeout connect 10s
                timeout client 60s
                timeout server 60s
                http-reuse %1$s
            frontend front
                bind 127.0.0.1:%2$d
                default_backend servers
            backend servers
                %3$s
            """;

    /** Its name, which is that of the Debian package too. */
    final String program;

    private final String choice;

    ProxyKind(String program, String choice) {
        this.program = program;
        this.choice = choice;
    }

    boolean isNginx() {
        return program.equals("nginx");
    }

    /** HAProxy drops what a pipe that is full does not take, as when its reader is kept waiting. */
    public boolean logsAll() {
        return isNginx();
    }

    /** @param port where it listens; it and its servers are on 127.0.0.1 */
    public String configuration(int port, List<Integer> serverPorts) {
        String servers = IntStream.range(0, serverPorts.size())
                .mapToObj(i -> server(i, serverPorts.get(i))).collect(Collectors.joining("\n    "));
        return (isNginx() ? NGINX_CONFIGURATION : HAPROXY_CONFIGURATION).formatted(choice, port, servers);
    }

    private String server(int index, int port) {
        return isNginx() ? "server 127.0.0.1:" + port + " max_fails=0;"
                : "server s" + index + " 127.0.0.1:" + port;
    }

    /** Runs it in the foreground, with all it writes in that folder or on its standard output. */
    List<String> command(Path executable, Path folder, Path configuration) {
        return isNginx()
                ? List.of("" + executable, "-p", folder + "/", "-c", "" + configuration, "-e", "stderr")
                : List.of("" + executable, "-db", "-f", "" + configuration);
    }
}
