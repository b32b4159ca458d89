package org.microhttp.checks.proxies.clients;

import java.io.*;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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
            JdkClient.class.getName());

    /** What it got, how long before the end the first of it, and whether it takes that for a whole body. */
    record Seen(String text, long millis, boolean whole) { }

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

    /** Has it get what is at an address. It ends with 0 if it takes what it writes for a whole body. */
    Seen get(String uri, Path folder) throws Exception {
        List<String> all = Stream.concat(command.stream(), Stream.of(uri)).toList();
        Process process = builder(all, folder).redirectError(Redirect.DISCARD).start();
        var text = new ByteArrayOutputStream();
        long first = 0;
        InputStream output = process.getInputStream();
        for (int one; (one = output.read()) >= 0; text.write(one)) {
            if (first == 0) first = System.nanoTime();
        }
        long millis = (System.nanoTime() - first) / 1_000_000;
        return new Seen(text.toString(StandardCharsets.US_ASCII), millis, process.waitFor() == 0);
    }

    /** Of a program that leaves its files in a folder, also if it is killed. */
    static ProcessBuilder builder(List<String> command, Path folder) {
        ProcessBuilder builder = Programs.withoutJavaOptions(new ProcessBuilder(command));
        builder.environment().put("TMPDIR", "" + folder);
        return builder;
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
