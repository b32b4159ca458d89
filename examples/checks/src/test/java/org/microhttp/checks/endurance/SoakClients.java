package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.checks.endurance.Load.Round;
import org.microhttp.testing.Programs;

/** The clients of a soak: which there are, what each asks in a round, and how long it pauses. */
final class SoakClients {

    private static final int CURL_REQUESTS = 5;
    private static final String CURL = "curl --silent --show-error --max-time 30 --output /dev/null"
            + " --write-out %{http_code}\\n ";

    /** Matches nothing that a program writes. */
    private static final String NOTHING = "(?!)";

    private static final String BODY = "hello";

    private final Load load;

    SoakClients(Load load) {
        this.load = load;
    }

    /** Adds those that ask a server itself. */
    void ask(int port) {
        String at = "http://127.0.0.1:" + port;
        load.add("HttpClient", 100, jdk(HttpClient.newHttpClient(), at, List.of("/a", "/b", "/c")));
        h2load("--h1 -c 8", 320, at);
        curl(1_000, "--http1.1", at + "/");
        add("ab -k -c 4 -n 200 " + at + "/", 5_000, 200, "Complete requests: +(\\d+)",
                "(?:Failed requests|Non-2xx responses): +(\\d+)");
        // as fast as it can, but for a second only
        add("wrk -t1 -c4 -d1s " + at + "/", 20_000, 0, "(\\d+) requests in ",
                "Non-2xx or 3xx responses: (\\d+)"
                        + "|Socket errors: connect (\\d+), read (\\d+), write (\\d+), timeout (\\d+)");
    }

    /** Adds those that come by a proxy. */
    void ask(EdgePair pair) throws Exception {
        String at = "https://127.0.0.1:" + pair.port;
        List<String> targets = List.of("/", "/stream?millis=400", "/work?millis=50", "/",
                "/work?millis=250");
        load.add(pair.name + ", HttpClient", 100, jdk(HttpClient.newHttpClient(), at, targets));
        h2load("-c 5", 200, at);
        for (String how : List.of("--http1.1", "--http2", "--http2 --data " + BODY)) {
            curl(2_000, how + " --cacert " + pair.certificate, at + "/?n=");
        }
    }

    /** At a rate, with which it does not connect again: so a new run each time. */
    private void h2load(String flags, int requests, String at) {
        add("h2load --rps 20 " + flags + " -n " + requests + " " + at + "/", 200, requests,
                "status codes: (\\d+) 2xx, ", NOTHING);
    }

    private void curl(long pauseMillis, String flags, String uri) {
        add(CURL + flags + " " + uri + "[1-" + CURL_REQUESTS + "]", pauseMillis, CURL_REQUESTS, "(?m)^200$",
                NOTHING);
    }

    /**
     * A program that is run in rounds, if it is installed.
     *
     * @param sent  how many requests it sends; 0 for as many as its output says
     * @param right matches what its output says of requests that were answered
     * @param wrong matches how many of these failed
     */
    private void add(String command, long pauseMillis, long sent, String right, String wrong) {
        String program = command.split(" ")[0];
        if (Programs.isInstalled(program)) {
            load.add(program, pauseMillis, () -> {
                Process process = new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
                process.getOutputStream().close();
                String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                long requests = Math.max(1, sent > 0 ? sent : sum(right, said));
                long failed = requests - sum(right, said) + sum(wrong, said);
                return new Round(requests, process.waitFor() == 0 ? failed : requests, said);
            });
        }
    }

    /** The sum of all numbers in groups of what matches; how often it does if there are no groups. */
    private static long sum(String pattern, String text) {
        long sum = 0;
        for (Matcher found = Pattern.compile(pattern).matcher(text); found.find(); ) {
            sum += found.groupCount() == 0 ? 1 : 0;
            for (int i = 1; i <= found.groupCount(); i++) {
                sum += found.group(i) == null ? 0 : Long.parseLong(found.group(i));
            }
        }
        return sum;
    }

    /** GET and POST in turn. */
    private static Callable<Round> jdk(HttpClient http, String at, List<String> targets) {
        return () -> {
            var wrong = new ArrayList<String>();
            for (String target : targets) {
                URI uri = URI.create(at + target);
                ask(http, HttpRequest.newBuilder(uri).build(), uri.getPath(), wrong);
                HttpRequest post = HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(BODY)).build();
                ask(http, post, BODY, wrong);
            }
            return new Round(2L * targets.size(), wrong.size(), "" + wrong);
        };
    }

    /** A server answers with what it was sent, or with its name. */
    private static void ask(HttpClient http, HttpRequest request, String sent, List<String> wrong)
            throws InterruptedException {
        try {
            HttpResponse<String> response = send(http, request);
            boolean right = response.body().equals(sent) || response.body().startsWith("server: ");
            if (response.statusCode() != 200 || !right) {
                wrong.add(response + " " + response.body());
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
}
