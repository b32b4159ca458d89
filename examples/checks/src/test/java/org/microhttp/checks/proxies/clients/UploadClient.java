package org.microhttp.checks.proxies.clients;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/** A client that uploads what it reads from a pipe. */
enum UploadClient {

    CURL("curl", StreamClient.CURL, "curl", "-sS", "-X", "POST", "-T", "-", "-w", "%{http_code}"),
    CURL_AT_ONCE("curl without Expect", StreamClient.CURL, "curl", "-sS", "-X", "POST", "-T", "-", "-w",
            "%{http_code}", "-H", "Expect:"),
    HTTPX("Python httpx", StreamClient.HTTPX, "python3", resource("upload.py")),
    NODE("Node fetch", StreamClient.NODE, "node", resource("upload.mjs")),
    GO("Go net/http", StreamClient.GO, "go", "run", resource("upload.go")),
    JDK("JDK HttpClient", StreamClient.JDK, Programs.JAVA, "-cp", "" + Programs.location(UploadClient.class),
            JdkUploader.class.getName());

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
}
