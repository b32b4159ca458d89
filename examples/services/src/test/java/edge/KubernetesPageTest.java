package edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.*;

/**
 * The page "A service on Kubernetes": its program runs as its image runs it, but at another port and with a
 * shorter drain; it loses no request when it is ended under load. Times, paths and labels of the page and
 * of the manifests agree.
 */
@Tier.Program
final class KubernetesPageTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("kubernetes.md"));
    private static final String PROGRAM = Readme.blocks(PAGE, "java").get(0);
    private static final String IMAGE = Readme.blocks(PAGE, "dockerfile").get(0);
    private static final String DEPLOYMENT = manifest("deployment");
    private static final int CLIENTS = 4;

    /** In seconds: enough for the clients of a busy machine to notice. */
    private static final int DRAIN = 2;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> clients = new ArrayList<>();
    private final AtomicInteger answered = new AtomicInteger();

    /** Whether new connections come, as far as a balancer knows. */
    private volatile boolean ready = true;

    @TempDir
    private Path folder;
    private Process process;
    private int port;

    private static String manifest(String name) {
        return Readme.read(Readme.ROOT.resolve("examples/services/kubernetes/" + name + ".yaml"));
    }

    private void runAsTheImageDoes() throws Exception {
        String program = PROGRAM.replace("withPort(8080)", "withPort(0)")
                .replace("ofSeconds(" + drain() + ")", "ofSeconds(" + DRAIN + ")");
        String path = System.getProperty("java.class.path");
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of("Greeter", program)));
        String start = all(IMAGE, "(?m)^ENTRYPOINT \\[(.+)]$").get(0);
        List<String> command = all(start, "\"([^\"]+)\"");
        assertEquals(List.of("java", "-jar", "/greeter.jar"),
                command.stream().filter(part -> !part.startsWith("-X")).toList());
        command.set(0, Programs.JAVA);
        command.removeAll(List.of("-jar", "/greeter.jar"));
        command.addAll(List.of("-cp", path + System.getProperty("path.separator") + folder, "Greeter"));
        process = Programs.withoutJavaOptions(new ProcessBuilder(command)).redirectErrorStream(true).start();
        port = Programs.port(process);
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        if (process != null) {
            process.destroyForcibly().waitFor();
        }
    }

    private RawClient connect() throws IOException {
        return new RawClient(port);
    }

    /** Also with a second SIGTERM. Connections stay open for as long as the server lets them. */
    @Test
    void noRequestIsLostWhenThePodEnds() throws Exception {
        runAsTheImageDoes();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(submit(this::keepsConnections));
            clients.add(submit(this::keepsConnectionsOfTheJdk));
            clients.add(submit(this::connectsAnew));
        }
        awaitAnswers(1000);
        long begin = System.nanoTime();
        process.toHandle().destroy();
        awaitNotReady();
        int before = answered.get();
        process.toHandle().destroy();
        awaitAnswers(before + 100);
        for (Future<?> client : clients) {
            client.get(30, TimeUnit.SECONDS);
        }
        List<String> rest = process.inputReader(ISO_8859_1).lines().toList();
        assertEquals("stopped, requests dropped: 0", rest.get(rest.size() - 1));
        assertEquals(143, process.waitFor());
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        assertTrue(seconds <= DRAIN + grace() + 1, seconds + " s");
    }

    private Future<?> submit(Callable<Void> client) {
        return threads.submit(client);
    }

    /** Fails with what a client has met, and if all have ended before. */
    private void awaitAnswers(int count) throws Exception {
        boolean over = false;
        while (answered.get() < count) {
            assertFalse(over, "all clients have ended after " + answered.get() + " answers");
            over = true;
            for (Future<?> client : clients) {
                over &= client.isDone();
                if (client.isDone()) {
                    client.get();
                }
            }
        }
    }

    /** Asks until the program says that it is not ready, as balancers do. */
    private void awaitNotReady() throws IOException {
        try (RawClient balancer = connect()) {
            int status = 200;
            while (status == 200) {
                status = balancer.get("/ready").response().status();
            }
            assertEquals(503, status);
        }
        ready = false;
    }

    private void count(int status, String text) {
        assertEquals("200 hello\n", status + " " + text);
        answered.incrementAndGet();
    }

    private Void connectsAnew() throws IOException {
        while (ready) {
            try (RawClient client = connect()) {
                RawResponse response = client.get("/hello").response();
                count(response.status(), response.text());
            }
        }
        return null;
    }

    private Void keepsConnections() throws IOException {
        do {
            try (RawClient client = connect()) {
                RawResponse response;
                do {
                    response = client.get("/hello").response();
                    count(response.status(), response.text());
                } while (!response.closes());
            }
        } while (ready);
        return null;
    }

    private Void keepsConnectionsOfTheJdk() throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello"))
                .timeout(Duration.ofSeconds(30)).build();
        HttpResponse<String> response;
        do {
            response = client.send(request, HttpResponse.BodyHandlers.ofString());
            count(response.statusCode(), response.body());
        } while (ready || !response.headers().allValues("connection").contains("close"));
        return null;
    }

    @Test
    void probesAndPrometheusGetAnswers() throws Exception {
        runAsTheImageDoes();
        List<String> paths = all(DEPLOYMENT, "httpGet:\\s+path: (\\S+)\\s+port: http\n");
        assertEquals(List.of("/live", "/ready"), paths);
        paths.addAll(all(manifest("servicemonitor"), "path: (\\S+)\n"));
        try (RawClient client = connect()) {
            for (String path : paths) {
                assertEquals(2, client.get(path).response().status() / 100, path);
            }
            String text = client.get("/metrics").response().text();
            assertTrue(text.contains("microhttp_response_duration_seconds_count 3\n"), text);
        }
    }

    private static int drain() {
        return number(PROGRAM, "monitor\\.stop\\(Duration\\.ofSeconds\\((\\d+)\\)");
    }

    private static int grace() {
        return number(PROGRAM, "monitor\\.stop\\(.*, Duration\\.ofSeconds\\((\\d+)\\)\\)");
    }

    /** Those of the page are those of the program and the deployment. */
    @Test
    void aPodHasTheTimeToEnd() {
        int limit = number(DEPLOYMENT, "terminationGracePeriodSeconds: (\\d+)");
        assertTrue(drain() + grace() + 1 < limit);
        List<List<String>> rows = Readme.table(PAGE, "number");
        assertEquals(List.of("drain, " + drain() + " s", "grace, " + grace() + " s",
                "terminationGracePeriodSeconds, " + limit), rows.stream().map(row -> row.get(0)).toList());
    }

    @Test
    void allManifestsAreOfThesePods() {
        assertEquals(1, Set.copyOf(all(DEPLOYMENT, "memory: (\\d+)Mi\n")).size());
        assertTrue(DEPLOYMENT.contains("  template:\n    metadata:\n      labels:\n        app: greeter\n"));
        assertTrue(DEPLOYMENT.contains("- name: http\n              containerPort: 8080\n"));
        assertTrue(PROGRAM.contains("withPort(8080)"));
        assertTrue(manifest("service").contains("  selector:\n    app: greeter\n"));
        assertTrue(manifest("service").contains("targetPort: http\n"));
        assertTrue(manifest("servicemonitor").contains("- port: http\n"));
        for (String name : List.of("deployment", "poddisruptionbudget", "servicemonitor")) {
            assertTrue(manifest(name).contains("  selector:\n    matchLabels:\n      app: greeter\n"), name);
        }
        for (String name : List.of("service", "servicemonitor")) {
            assertTrue(manifest(name).contains("  labels:\n    app: greeter\n"), name);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"deployment", "service", "poddisruptionbudget", "servicemonitor"})
    void aManifestIsIndentedAsYamlWantsIt(String name) {
        String text = manifest(name);
        int before = 0;
        for (String line : text.lines().filter(l -> !l.isBlank() && !l.strip().startsWith("#")).toList()) {
            assertFalse(line.contains("\t"), line);
            int indent = line.length() - line.stripLeading().length();
            assertTrue(indent % 2 == 0 && indent <= before + 4, line);
            assertTrue(line.matches(" *(- )?([\\w./]+:( .+)?|[-/]\\S+|\\w+)"), line);
            before = indent;
        }
        assertEquals(List.of("apiVersion", "kind", "metadata", "spec"), all(text, "(?m)^(\\w+):"));
    }

    private static int number(String text, String pattern) {
        List<String> found = all(text, pattern);
        assertEquals(1, found.size(), pattern);
        return Integer.parseInt(found.get(0));
    }

    private static List<String> all(String text, String pattern) {
        return new ArrayList<>(Pattern.compile(pattern).matcher(text).results()
                .map((MatchResult found) -> found.group(1)).toList());
    }
}
