package org.microhttp.checks.proxies.clients;

import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.microhttp.checks.proxies.clients.RealClients.Run;
import org.microhttp.checks.proxies.clients.UploadClient.End;
import org.microhttp.checks.proxies.clients.UploadClient.Seen;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyLine;
import org.microhttp.checks.proxies.tools.ProxyPlayer;
import org.microhttp.testing.ServerProcess;

/**
 * What each client uploads is received whole, byte for byte, with a heap of 64 MiB. An upload of which the
 * client is killed, or whose input ends early, never reaches the handler. If the server stops it after 1 MiB,
 * curl sees the 413; the table has what others see. Of an upload far larger than what the server reads after
 * its answer, some see a broken pipe, or a proxy that answers with 502.
 */
final class Uploads {

    /** Of this a client gets half, and is killed, or its input ends. */
    private static final long CUT = 16L << 20;

    /** How much the server reads after its answer. A proxy that still sends then may not look for that. */
    private static final long LINGERED = 64L << 20;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Run run;
    private final ServerProcess server;
    private final UploadContent content;
    private final String hash;
    private final HttpClient asking = HttpClient.newHttpClient();

    private Uploads(Run run, ServerProcess server, long length) {
        this.run = run;
        this.server = server;
        content = new UploadContent(length);
        hash = content.hash();
    }

    static void tryAll(Run run, boolean direct, List<String> names, long length) throws Exception {
        System.out.println("| client | between it and the server | whole | seconds | cut: client killed"
                + " | cut: input ended | seen when stopped |");
        System.out.println("|---|---|---|---|---|---|---|");
        List<Way> ways = direct ? List.of(Way.DIRECT) : Way.OF_REQUESTS;
        try (var server = new ServerProcess("ulimit -n 1000", UploadServer.class.getName(), "-Xmx64m",
                "-XX:TieredStopAtLevel=4")) {
            var all = new Uploads(run, server, length);
            RealClients.tryEach(run, ways, server.port, List.of(UploadClient.values()), names, all::tryOne);
            String twice = server.ask("twice");
            run.report().check("[]".equals(twice), "ended twice", twice);
        }
    }

    /** What came of an upload: for the client, and for the server. */
    private record Result(String framing, Seen seen, String outcome, double seconds) { }

    /** One client, on its way to the server. */
    private record Place(UploadClient client, Way way, Proxy proxy) { }

    private void tryOne(UploadClient client, Way way, Proxy proxy) throws Exception {
        if (!client.isInstalled()) {
            System.out.println("left out, not installed: " + client.title);
            return;
        }
        var place = new Place(client, way, proxy);
        List<Future<Result>> whole = start(place, "whole", End.WHOLE);
        List<Future<Result>> killed = start(place, "whole", End.KILLED);
        List<Future<Result>> ended = client.knows(End.SHORT) ? start(place, "whole", End.SHORT) : List.of();
        List<Future<Result>> stopped = start(place, "early", End.WHOLE);
        System.out.printf(Locale.ROOT, "| %s | %s | %s | %.1f | %s | %s | %s |%n", client.title, way.title,
                judgeWhole(place, whole), seconds(whole), judgeCut(place, killed), judgeCut(place, ended),
                judgeStopped(place, stopped));
    }

    private List<Future<Result>> start(Place place, String kind, End end) {
        var all = new ArrayList<Future<Result>>();
        for (String framing : List.of(UploadServer.CHUNKED, UploadServer.COUNTED)) {
            Callable<Result> upload = () -> upload(place, kind, framing, end);
            all.add(run.clients().submit(upload));
        }
        return all;
    }

    private Result upload(Place place, String kind, String framing, End end) throws Exception {
        String target = "/" + kind + "/" + UUID.randomUUID();
        String base = "http://127.0.0.1:" + (place.proxy == null ? server.port : place.proxy.port);
        UploadContent all = end == End.WHOLE ? content : new UploadContent(CUT);
        long start = System.nanoTime();
        Seen seen = place.client.upload(base + target, framing, all, run.folder(), end);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Result(framing, seen, outcome(target, place.proxy), seconds);
    }

    /** What came of it for the server, once it is known whether a proxy has begun to send it on. */
    private String outcome(String target, Proxy proxy) throws Exception {
        String name = target.substring(target.lastIndexOf('/') + 1);
        if (proxy == null) return ask("/outcome/" + name);
        if (!proxy.log.await(0, lines -> line(lines, target) != null)) return "the proxy does not end it";
        ProxyLine line = line(proxy.log.from(0), target);
        return ask((line.serverPorts().isEmpty() ? "/now/" : "/outcome/") + name);
    }

    private static ProxyLine line(List<ProxyLine> lines, String target) {
        return lines.stream().filter(line -> line.target().equals(target)).findFirst().orElse(null);
    }

    private String ask(String target) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.port + target);
        HttpRequest request = HttpRequest.newBuilder(address).timeout(LIMIT).build();
        try {
            return asking.send(request, HttpResponse.BodyHandlers.ofString()).body().strip();
        } catch (HttpTimeoutException e) {
            return "the server does not end it";
        }
    }

    private String judgeWhole(Place place, List<Future<Result>> results) throws Exception {
        boolean kept = true;
        for (Future<Result> one : results) {
            Result got = one.get();
            boolean same = place.proxy == null
                    ? got.outcome.equals(hash + " " + place.client.marks(got.framing))
                    : got.outcome.startsWith(hash + " ");
            boolean whole = same && got.seen.answered() && got.seen.text().startsWith(got.outcome)
                    && got.seen.text().endsWith("200");
            check(whole, "whole", place, got);
            kept &= whole;
        }
        return RealClients.yes(kept);
    }

    private static double seconds(List<Future<Result>> results) throws Exception {
        double most = 0;
        for (Future<Result> one : results) most = Math.max(most, one.get().seconds);
        return most;
    }

    /** A proxy that collects has nothing to pass on. */
    private String judgeCut(Place place, List<Future<Result>> results) throws Exception {
        boolean kept = true;
        for (Future<Result> one : results) {
            Result got = one.get();
            boolean cut = place.way.passesOn ? got.outcome.startsWith(UploadServer.FAILED)
                    : got.outcome.equals(UploadServer.NOTHING);
            check(cut, "cut", place, got);
            kept &= cut;
        }
        return results.isEmpty() ? "" : RealClients.yes(kept);
    }

    private String judgeStopped(Place place, List<Future<Result>> results) throws Exception {
        var seen = new LinkedHashSet<String>();
        for (Future<Result> one : results) {
            Result got = one.get();
            String text = got.seen.text();
            seen.add(got.seen.answered() ? text.substring(text.length() - 3) : text);
            check(got.outcome.equals(UploadServer.CANCELLED), "stopped", place, got);
            boolean mayMiss = !place.client.isCurl() || place.proxy != null && content.length() > LINGERED;
            check(mayMiss || text.endsWith("413"), "413", place, got);
        }
        return String.join("; ", seen).replaceAll("\\s+", " ");
    }

    private void check(boolean kept, String kind, Place place, Result got) {
        run.report().check(kept, kind, place.client.title + " behind " + place.way.title + ", "
                + got.framing + ": " + ProxyPlayer.shown(got.seen) + ", the server: " + got.outcome);
    }
}
