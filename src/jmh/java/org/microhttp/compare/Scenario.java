package org.microhttp.compare;

import java.util.Arrays;

/** What is asked of a server: the exact bytes, on how many connections, and the body that must come back. */
public enum Scenario {

    KEEP_ALIVE("keep-alive", "a small GET at a time on each of 100 connections", 100, 1, get(""), 0),
    PIPELINED("pipelined", "16 small GETs at a time on each of 100 connections", 100, 16, get(""), 0),
    CLOSE("close", "a small GET, then a new connection; 50 at a time", 50, 1, get("Connection: close\n"),
            0),
    BROWSER("browser", "a GET with 14 fields, as browsers send it; 100 connections", 100, 1, get("""
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8
            Accept-Language: en-GB,en;q=0.9,de;q=0.8
            Accept-Encoding: gzip, deflate, br, zstd
            Referer: https://www.example.com/
            Cookie: session=9f86d081884c7d659a2feaa0c55ad015; theme=dark; consent=1
            Connection: keep-alive
            Cache-Control: max-age=0
            Upgrade-Insecure-Requests: 1
            Sec-Fetch-Dest: document
            Sec-Fetch-Mode: navigate
            Sec-Fetch-Site: same-origin
            DNT: 1
            """), 0),
    POST("post", "a POST of 4 KiB, answered with its body; 100 connections", 100, 1, post(),
            4096),
    ASYNC("async", "keep-alive, answered by another thread, in the floor too", 100, 1, get(""), 0),
    LARGE("100 KiB", "a body of 100 KiB, from memory or by sendfile; 20 connections", 20, 1, get(""),
            100 * 1024),
    HUGE("1.5 MB", "a body of 1.5 MB, from memory or by sendfile; 20 connections", 20, 1, get(""),
            1_500_000);

    public final String name, about;
    final int connections, depth;
    final String request;

    /** What has to come back. */
    final String body;

    /** @param size of the body; 0 for a small one */
    Scenario(String name, String about, int connections, int depth, String request, int size) {
        body = size == 0 ? "hello world\n" : "x".repeat(size);
        this.name = name;
        this.about = about;
        this.connections = connections;
        this.depth = depth;
        this.request = request;
    }

    public static Scenario of(Case asked) {
        return Arrays.stream(values()).filter(scenario -> asked.is("scenario", scenario.name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario " + asked));
    }

    /** Whether the body is too large for a server's configuration, and for one buffer of a socket. */
    boolean isLarge() { return this == LARGE || this == HUGE; }

    private static String get(String fields) {
        return ("GET /plaintext HTTP/1.1\nHost: localhost\n" + fields + "\n").replace("\n", "\r\n");
    }

    private static String post() {
        String head = "POST /plaintext HTTP/1.1\nHost: localhost\nContent-Type: text/plain\n"
                + "Content-Length: 4096\n\n";
        return head.replace("\n", "\r\n") + "x".repeat(4096);
    }
}
