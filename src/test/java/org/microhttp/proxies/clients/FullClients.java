package org.microhttp.proxies.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.UnaryOperator;
import org.microhttp.faults.chaos.ChaosLedger;
import org.microhttp.proxies.clients.StreamClient.Seen;
import org.microhttp.proxies.tools.Proxy;
import org.microhttp.proxies.tools.ProxyKind;
import org.microhttp.tools.TemporaryFolder;

/**
 * Real clients get streamed bodies, directly and through proxies. Each gets a whole body, and its pieces as
 * they are produced unless a proxy collects them; and each sees that a body is cut. Not run by Maven:
 * <pre>
 *   src/test/full FullClients [direct] [CLIENT ...]
 * </pre>
 */
final class FullClients {

    /** Between a client and the server. */
    enum Way {

        DIRECT("nothing", null, true),
        NGINX_1_0("nginx by HTTP/1.0", ProxyKind.NGINX, true),
        NGINX_1_0_COLLECTS("nginx by HTTP/1.0, which collects", ProxyKind.NGINX, false),
        NGINX("nginx by HTTP/1.1", ProxyKind.NGINX, true),
        NGINX_COLLECTS("nginx by HTTP/1.1, which collects", ProxyKind.NGINX, false),
        HAPROXY("HAProxy", ProxyKind.HAPROXY, true);

        final String title;
        final ProxyKind kind;
        final boolean passesOn;

        Way(String title, ProxyKind kind, boolean passesOn) {
            this.title = title;
            this.kind = kind;
            this.passesOn = passesOn;
        }

        boolean isInstalled() {
            return kind == null || Proxy.isInstalled(kind);
        }

        Proxy start(Path folder, int serverPort) throws IOException {
            UnaryOperator<String> change = name().startsWith("NGINX_1_0")
                    ? text -> text.replace("proxy_http_version 1.1", "proxy_http_version 1.0") : text -> text;
            return Proxy.start(kind, change, folder, List.of(serverPort));
        }
    }

    /** From the first of the five pieces to the last 800 ms pass; fewer where a machine is busy. */
    private static final long AT_LEAST_MILLIS = 500;

    private final ChaosLedger ledger = new ChaosLedger();
    private final ExecutorService clients = Executors.newFixedThreadPool(4);
    private final Path folder;

    /** The names of some, or none for all. */
    private final List<String> names;

    private FullClients(Path folder, List<String> names) {
        this.folder = folder;
        this.names = names;
    }

    public static void main(String[] arguments) throws Exception {
        var names = new ArrayList<>(List.of(arguments));
        List<Way> ways = names.remove("direct") ? List.of(Way.DIRECT) : List.of(Way.values());
        Path folder = Files.createTempDirectory("clients");
        var run = new FullClients(folder, names);
        System.out.println("| client | between it and the server | whole | as produced | cut |");
        System.out.println("|---|---|---|---|---|");
        try (var server = new PieceServer()) {
            for (Way way : ways) run.tryAll(way, server);
        } finally {
            run.clients.shutdown();
            TemporaryFolder.delete(folder);
        }
        run.ledger.conclude();
    }

    private void tryAll(Way way, PieceServer server) throws Exception {
        if (!way.isInstalled()) {
            System.out.println("left out, not installed: " + way.title);
            return;
        }
        Path own = Files.createDirectory(folder.resolve(way.name()));
        try (Proxy proxy = way.kind == null ? null : way.start(own, server.port())) {
            for (StreamClient client : StreamClient.values()) {
                if (!names.isEmpty() && !names.contains(client.name())) continue;
                if (client.isInstalled()) {
                    tryClient(client, way, server, proxy == null ? server.port() : proxy.port);
                } else {
                    System.out.println("left out, not installed: " + client.title);
                }
            }
        }
    }

    private void tryClient(StreamClient client, Way way, PieceServer server, int port) throws Exception {
        var seen = new TreeMap<String, Future<Seen>>();
        for (String target : List.of("/chunked/whole", "/counted/whole", "/chunked/cut", "/counted/cut")) {
            String query = way.passesOn ? "?collected=no" : "";
            seen.put(target, clients.submit(() -> client.get(server, port, target + query, folder)));
        }
        boolean whole = true;
        boolean produced = true;
        boolean cut = true;
        for (var one : seen.entrySet()) {
            Seen got = one.getValue().get();
            if (one.getKey().endsWith("whole")) {
                whole &= got.whole() && got.text().equals(PieceServer.WHOLE);
                produced &= got.millis() >= AT_LEAST_MILLIS;
            } else {
                cut &= !got.whole() && PieceServer.CUT.startsWith(got.text());
            }
        }
        System.out.printf("| %s | %s | %s | %s | %s |%n", client.title, way.title, yes(whole), yes(produced),
                yes(cut));
        String what = client.title + " behind " + way.title;
        ledger.check(whole, "whole", what);
        ledger.check(produced || !way.passesOn, "as produced", what);
        // to HTTP/1.0 a proxy can only end the connection
        boolean blind = client == StreamClient.CURL_HTTP_1_0 && way != Way.DIRECT;
        ledger.check(cut || blind, "cut", what);
    }

    private static String yes(boolean kept) {
        return kept ? "yes" : "no";
    }
}
