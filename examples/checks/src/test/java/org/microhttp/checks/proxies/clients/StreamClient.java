package org.microhttp.checks.proxies.clients;

import java.io.*;
import java.lang.ProcessBuilder.Redirect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/** A client, and whether it is here. */
enum StreamClient {

    CURL("curl", "curl", "-sN"),
    CURL_HTTP_1_0("curl --http1.0", "curl", "-sN", "--http1.0"),
    HTTPX("Python httpx", "python3", resource("client.py")),
    NODE("Node fetch", "node", resource("client.mjs")),
    GO("Go net/http", "go", "run", resource("client.go")),
    JDK("JDK HttpClient", Programs.JAVA, "-cp", "" + Programs.location(StreamClient.class),
            JdkClient.class.getName()),
    CHROMIUM("Chromium fetch", "chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
            "--no-first-run", "--disable-background-networking");

    /** What it got, how long before the end the first of it, and whether it takes that for a whole body. */
    record Seen(String text, long millis, boolean whole) { }

    private static final int LIMIT_SECONDS = 30;

    final String title;
    private final List<String> command;

    StreamClient(String title, String... command) {
        this.title = title;
        this.command = List.of(command);
    }

    private static String resource(String name) {
        return "" + Readme.ROOT.resolve("examples/checks/src/test/resources/clients").resolve(name);
    }

    boolean isInstalled() throws IOException, InterruptedException {
        if (this == JDK) return true;
        if (!Programs.isInstalled(command.get(0))) return false;
        return this != HTTPX || new ProcessBuilder("python3", "-c", "import httpx")
                .redirectError(Redirect.DISCARD).start().waitFor() == 0;
    }

    /** Has it get a target at that port. */
    Seen get(PieceServer server, int port, String target, Path folder) throws Exception {
        String base = "http://127.0.0.1:" + port;
        return this == CHROMIUM ? visit(server, base, target, folder)
                : read(start(List.of(base + target), folder));
    }

    private Process start(List<String> more, Path folder) throws IOException {
        List<String> all = Stream.of(command, more).flatMap(List::stream).toList();
        return builder(all, folder).redirectError(Redirect.DISCARD).start();
    }

    /** Of a program that leaves its files in a folder, also if it is killed. */
    static ProcessBuilder builder(List<String> command, Path folder) {
        ProcessBuilder builder = Programs.withoutJavaOptions(new ProcessBuilder(command));
        builder.environment().put("TMPDIR", "" + folder);
        return builder;
    }

    /** Of a program that writes what it gets, and ends with 0 if it takes that for a whole body. */
    private static Seen read(Process process) throws Exception {
        var text = new ByteArrayOutputStream();
        long first = 0;
        InputStream output = process.getInputStream();
        for (int octet; (octet = output.read()) >= 0; text.write(octet)) {
            if (first == 0) first = System.nanoTime();
        }
        long millis = (System.nanoTime() - first) / 1_000_000;
        return new Seen(text.toString(StandardCharsets.US_ASCII), millis, process.waitFor() == 0);
    }

    /** Of a page that reports what it gets. */
    private Seen visit(PieceServer server, String base, String target, Path folder) throws Exception {
        String run = UUID.randomUUID().toString();
        BlockingQueue<PieceServer.Report> reports = server.reports(run);
        String encoded = URLEncoder.encode(target, StandardCharsets.UTF_8);
        String page = base + "/page?run=" + run + "&target=" + encoded;
        Process browser = start(List.of("--user-data-dir=" + folder.resolve(run), page), folder);
        try {
            var text = new StringBuilder();
            for (long first = 0; ; ) {
                PieceServer.Report report = reports.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (report == null) throw new IOException("the page reports nothing");
                if (first == 0) first = System.nanoTime();
                text.append(new String(report.body(), StandardCharsets.US_ASCII));
                if (report.kind().equals("piece")) continue;
                long millis = (System.nanoTime() - first) / 1_000_000;
                return new Seen(text.toString(), millis, report.kind().equals("end"));
            }
        } finally {
            kill(browser);
        }
    }

    /** Starts Chromium with what it has to show, its standard error a pipe. */
    Process browser(Path folder, String... more) throws IOException {
        List<String> all = Stream.concat(command.stream(), Stream.of(more)).toList();
        return builder(all, folder).redirectOutput(Redirect.DISCARD).start();
    }

    /** Kills a process and all below it, waits for that, and closes its pipes only then. */
    static void kill(Process process) throws InterruptedException {
        List<ProcessHandle> all = process.descendants().toList();
        process.toHandle().destroyForcibly();
        process.waitFor();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().join());
        process.destroy();
    }
}
