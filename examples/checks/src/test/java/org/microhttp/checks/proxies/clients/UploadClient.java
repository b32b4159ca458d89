package org.microhttp.checks.proxies.clients;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/** A client that uploads what it reads from a pipe; Chromium a file. */
enum UploadClient {

    CURL("curl", StreamClient.CURL, "curl", "-sS", "-X", "POST", "-T", "-", "-w", "%{http_code}"),
    CURL_AT_ONCE("curl without Expect", StreamClient.CURL, "curl", "-sS", "-X", "POST", "-T", "-", "-w",
            "%{http_code}", "-H", "Expect:"),
    HTTPX("Python httpx", StreamClient.HTTPX, "python3", resource("upload.py")),
    NODE("Node fetch", StreamClient.NODE, "node", resource("upload.mjs")),
    GO("Go net/http", StreamClient.GO, "go", "run", resource("upload.go")),
    JDK("JDK HttpClient", StreamClient.JDK, Programs.JAVA, "-cp", "" + Programs.location(UploadClient.class),
            JdkUploader.class.getName()),
    CHROMIUM("Chromium fetch", StreamClient.CHROMIUM);

    /** How an upload is cut, or is not. */
    enum End { WHOLE, KILLED, SHORT }

    /** Whether it takes the upload for answered, and what it says. */
    record Seen(boolean answered, String text) { }

    final String title;
    private final StreamClient same;
    private final List<String> command;

    UploadClient(String title, StreamClient same, String... command) {
        this.title = title;
        this.same = same;
        this.command = List.of(command);
    }

    private static String resource(String name) {
        return "" + Readme.ROOT.resolve("examples/checks/src/test/resources/clients").resolve(name);
    }

    boolean isInstalled() throws IOException, InterruptedException {
        return same.isInstalled();
    }

    boolean isCurl() {
        return same == StreamClient.CURL;
    }

    /** A browser sends no chunks by HTTP/1.1. */
    List<String> framings() {
        return this == CHROMIUM ? List.of(UploadServer.COUNTED)
                : List.of(UploadServer.CHUNKED, UploadServer.COUNTED);
    }

    /** How the server knows its uploads, unless a proxy is between. */
    String marks(String framing) {
        return this == CURL ? framing + " 100-continue" : framing;
    }

    /** For curl the end of its input is the end of the body, wherever it is. */
    boolean knows(End end) {
        return end != End.SHORT || !isCurl();
    }

    private List<String> arguments(String url, String framing, long length) {
        if (!isCurl()) return List.of(url, framing, "" + length);
        return framing.equals(UploadServer.CHUNKED) ? List.of(url)
                : List.of("-H", "Transfer-Encoding:", "-H", "Content-Length: " + length, url);
    }

    /** Has a program upload a content, or half of it, and then ends it, or its input. */
    Seen upload(String url, String framing, UploadContent content, Path folder, End end) throws Exception {
        List<String> more = arguments(url, framing, content.length());
        List<String> all = Stream.of(command, more).flatMap(List::stream).toList();
        Process process = StreamClient.builder(all, folder).redirectErrorStream(true).start();
        try {
            var fed = CompletableFuture.supplyAsync(() -> feed(process, content, end),
                    task -> new Thread(task).start());
            if (end == End.KILLED) return new Seen(false, fed.join() ? "" : "it did not take its input");
            byte[] said = process.getInputStream().readAllBytes();
            return new Seen(process.waitFor() == 0, new String(said, StandardCharsets.UTF_8).strip());
        } finally {
            StreamClient.kill(process);
        }
    }

    /** {@return whether it took all} A client that is stopped by the server does not. */
    private static boolean feed(Process process, UploadContent content, End end) {
        long given = end == End.WHOLE ? content.length() : content.length() / 2;
        OutputStream out = process.getOutputStream();
        try {
            content.writeTo(out, given);
            if (end != End.KILLED) out.close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Has the browser upload a file, and ends it, or the request, as soon as some of that is sent. */
    static Seen upload(String base, String target, Path file, Path folder, End end) throws Exception {
        Path profile = folder.resolve(UUID.randomUUID().toString());
        Process process = StreamClient.CHROMIUM.browser(folder, "--user-data-dir=" + profile,
                "--remote-debugging-port=0", "about:blank");
        try (var browser = new DevTools(process)) {
            browser.show(base + "/page");
            browser.choose(file);
            switch (end) {
                case KILLED -> browser.evaluate("begin('" + target + "').then(() => 'begun')");
                case SHORT -> browser.evaluate("begin('" + target + "').then(request => request.abort())");
                case WHOLE -> {
                    String text = browser.evaluate("upload('" + target + "')");
                    return new Seen(!text.startsWith("TypeError"), text);
                }
            }
            return new Seen(false, "");
        } finally {
            StreamClient.kill(process);
        }
    }
}
