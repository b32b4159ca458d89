package org.microhttp.checks.proxies.clients;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.microhttp.checks.endurance.Report;
import org.microhttp.checks.proxies.clients.RealClients.Run;
import org.microhttp.checks.proxies.clients.StreamClient.Seen;
import org.microhttp.checks.proxies.tools.Proxy;

/**
 * Each client gets a whole body, and its pieces as they are produced unless a proxy collects them; and each
 * sees that a body is cut.
 */
final class Downloads {

    /** From the first of the five pieces to the last 800 ms pass; fewer where a machine is busy. */
    private static final long AT_LEAST_MILLIS = 500;

    private static final List<String> TARGETS =
            List.of("/chunked/whole", "/counted/whole", "/chunked/cut", "/counted/cut");

    private final Run run;
    private final PieceServer server;

    private Downloads(Run run, PieceServer server) {
        this.run = run;
        this.server = server;
    }

    static void tryAll(Run run, boolean direct, List<String> names) throws Exception {
        System.out.println("| client | between it and the server | whole | as produced | cut |");
        System.out.println("|---|---|---|---|---|");
        List<Way> ways = direct ? List.of(Way.DIRECT) : Way.OF_RESPONSES;
        try (var server = new PieceServer()) {
            var all = new Downloads(run, server);
            RealClients.tryEach(run, ways, server.port(), List.of(StreamClient.values()), names, all::tryOne);
        }
    }

    private void tryOne(StreamClient client, Way way, Proxy proxy) throws Exception {
        if (!client.isInstalled()) {
            System.out.println("left out, not installed: " + client.title);
            return;
        }
        var seen = new TreeMap<String, Future<Seen>>();
        int port = proxy == null ? server.port() : proxy.port;
        for (String target : TARGETS) {
            String query = way.passesOn ? "?collected=no" : "";
            seen.put(target, run.clients().submit(() ->
                    client.get("http://127.0.0.1:" + port + target + query, run.folder())));
        }
        judge(client, way, seen);
    }

    private void judge(StreamClient client, Way way, Map<String, Future<Seen>> seen) throws Exception {
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
        System.out.printf("| %s | %s | %s | %s | %s |%n", client.title, way.title, RealClients.yes(whole),
                RealClients.yes(produced), RealClients.yes(cut));
        String what = client.title + " behind " + way.title;
        Report report = run.report();
        report.check(whole, "whole", what);
        report.check(produced || !way.passesOn, "as produced", what);
        // to HTTP/1.0 a proxy can only end the connection
        boolean blind = client == StreamClient.CURL_HTTP_1_0 && way != Way.DIRECT;
        report.check(cut || blind, "cut", what);
    }
}
