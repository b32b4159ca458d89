package org.microhttp.faults.soak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.microhttp.faults.soak.SoakLoad.Round;
import org.microhttp.tools.Programs;

/** The clients of a soak: which there are, what each asks in a round, and how long it pauses. */
final class SoakClients {

    private static final String CURL = "curl --silent --show-error --max-time 30 --output /dev/null"
            + " --write-out %{http_code}\\n ";
    private static final int CURL_REQUESTS = 5;
    private static final int AB_REQUESTS = 200;

    private final SoakLoad load;

    SoakClients(SoakLoad load) {
        this.load = load;
    }

    /** Adds those that ask a server itself, and with each request something else. */
    void ask(WatchedServer server) {
        String at = "http://127.0.0.1:" + server.port();
        load.addRestless("steady", 750, server::steady);
        load.add("HttpClient", 100, jdk(HttpClient.newHttpClient(), at, List.of("/a", "/b", "/c")));
        load.add("h2load", 200, h2load("--h1 -c 8", 320, at + "/"));
        add("curl", 1_000, () -> curl("--http1.1", at + "/"));
        add("ab", 5_000, () -> ab(at + "/"));
        add("wrk", 20_000, () -> wrk(at + "/"));
    }

    /** Adds those that come by a proxy. */
    void ask(EdgePair pair) throws Exception {
        String at = "https://127.0.0.1:" + pair.port;
        List<String> targets = List.of("/", "/", "/work?millis=50", "/", "/work?millis=250");
        load.add(pair.name + ", HttpClient", 100, jdk(pair.certificate.client(), at, targets));
        load.add(pair.name + ", h2load", 200, h2load("-c 5", 200, at + "/"));
        for (String how : List.of("--http1.1", "--http2", "--http2 --data hello")) {
            String trusted = how + " --cacert " + pair.certificate.file();
            add("curl", 2_000, () -> curl(trusted, at + "/?n="));
        }
    }

    private void add(String program, long pauseMillis, Callable<Round> round) {
        if (Programs.isInstalled(program)) {
            load.add(program, pauseMillis, round);
        }
    }

    /** GET and POST in turn. */
    private static Callable<Round> jdk(HttpClient http, String at, List<String> targets) {
        return () -> {
            var wrong = new ArrayList<String>();
            for (String target : targets) {
                URI uri = URI.create(at + target);
                ask(http, HttpRequest.newBuilder(uri).build(), wrong);
                ask(http, HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("hello")).build(), wrong);
            }
            return new Round(2L * targets.size(), wrong.size(), "" + wrong);
        };
    }

    /** A server answers with the target, or with its name. */
    private static void ask(HttpClient http, HttpRequest request, List<String> wrong)
            throws InterruptedException {
        try {
            HttpResponse<String> response = send(http, request);
            String body = response.body();
            boolean right = body.equals(request.uri().getPath()) || body.startsWith("server: ");
            if (response.statusCode() != 200 || !right) {
                wrong.add(response + " " + body);
            }
        } catch (IOException e) {
            wrong.add(request + ": " + e);
        }
    }

    /**
     * Once more, if the proxy has just given up the connection, as nginx does with each after an hour: before
     * Java 24 the client fails what it was told it may send again (RFC 9113 §6.8, JDK-8335181).
     */
    private static HttpResponse<String> send(HttpClient http, HttpRequest request)
            throws IOException, InterruptedException {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            if (!("" + e.getMessage()).endsWith(": GOAWAY received")) {
                throw e;
            }
            return http.send(request, BodyHandlers.ofString());
        }
    }

    /** At a rate, with which it does not connect again: so a new run each time. */
    private static Callable<Round> h2load(String flags, int requests, String uri) {
        return () -> {
            CommandOutput output = run("h2load --rps 20 " + flags + " -n " + requests + " " + uri);
            return round(requests, output.sum("status codes: (\\d+) 2xx, "), output);
        };
    }

    private static Round curl(String flags, String uri) throws IOException, InterruptedException {
        CommandOutput output = run(CURL + flags + " " + uri + "[1-" + CURL_REQUESTS + "]");
        return round(CURL_REQUESTS, output.text().lines().filter("200"::equals).count(), output);
    }

    private static Round ab(String uri) throws IOException, InterruptedException {
        CommandOutput output = run("ab -k -c 4 -n " + AB_REQUESTS + " " + uri);
        long wrong = output.sum("Failed requests: +(\\d+)") + output.sum("Non-2xx responses: +(\\d+)");
        return round(AB_REQUESTS, output.sum("Complete requests: +(\\d+)") - wrong, output);
    }

    /** As fast as it can, but for a second only. */
    private static Round wrk(String uri) throws IOException, InterruptedException {
        CommandOutput output = run("wrk -t1 -c4 -d1s " + uri);
        long wrong = output.sum("Non-2xx or 3xx responses: (\\d+)")
                + output.sum("Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
        long requests = Math.max(1, output.sum("(\\d+) requests in ") + wrong);
        return round(requests, output.status() == 0 ? requests - wrong : 0, output);
    }

    private static CommandOutput run(String command) throws IOException, InterruptedException {
        return CommandOutput.of(Arrays.asList(command.split(" ")));
    }

    private static Round round(long requests, long right, CommandOutput output) {
        return new Round(requests, requests - right, output.text());
    }
}
