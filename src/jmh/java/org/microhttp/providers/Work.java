package org.microhttp.providers;

import java.nio.charset.StandardCharsets;

/** What a server is asked for: on how many connections, in which request, and how long the body is. */
enum Work {

    GET("GET, 13 bytes", 16, "GET /small", 0, 13),
    POST("POST of 4 KiB", 16, "POST /receive", 4 * 1024, 13),
    DOWNLOAD("1 MiB download", 4, "GET /large", 0, 1024 * 1024),
    PIECES("1 MiB download, in pieces of 8 KiB", 4, "GET /pieces", 0, 1024 * 1024),
    UPLOAD("1 MiB upload", 4, "POST /receive", 1024 * 1024, 13),
    STREAMS("100 event streams", 100, "GET /events", 0, ProvidedServer.EVENTS * ProvidedServer.EVENT.length);

    final String title;
    final int connections, answer;
    private final String line;
    private final int upload;

    Work(String title, int connections, String line, int upload, int answer) {
        this.title = title;
        this.connections = connections;
        this.line = line;
        this.upload = upload;
        this.answer = answer;
    }

    byte[] request() {
        String length = upload == 0 ? "" : "Content-Length: " + upload + "\r\n";
        String head = line + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n";
        return (head + "x".repeat(upload)).getBytes(StandardCharsets.US_ASCII);
    }
}
