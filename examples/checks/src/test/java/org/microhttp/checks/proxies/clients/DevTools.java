package org.microhttp.checks.proxies.clients;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.*;
import org.microhttp.testing.JsonReader;

/** A page in Chromium, driven by its DevTools protocol: one command at a time, by one thread. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

    private static final String LISTENS = "DevTools listening on ";

    /** For an upload of gibibytes, too. */
    private static final int LIMIT_MINUTES = 10;

    private final WebSocket socket;
    private final StringBuilder partial = new StringBuilder();
    private final BlockingQueue<Map<?, ?>> messages = new LinkedBlockingQueue<>();
    private final String session;
    private int commands;

    /** @param browser started with {@code --remote-debugging-port=0}, its standard error a pipe */
    DevTools(Process browser) throws Exception {
        BufferedReader errors = browser.errorReader();
        String line = errors.readLine();
        while (line != null && !line.startsWith(LISTENS)) line = errors.readLine();
        if (line == null) throw new IOException("Chromium does not start");
        var drain = new Thread(() -> errors.lines().forEach(ignored -> { }));
        drain.setDaemon(true);
        drain.start();
        URI address = URI.create(line.substring(LISTENS.length()));
        socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(address, this).join();
        Object target = send("Target.createTarget", "{\"url\":\"about:blank\"}", "").get("targetId");
        session = (String) send("Target.attachToTarget",
                "{\"targetId\":\"" + target + "\",\"flatten\":true}", "").get("sessionId");
    }

    /** Has it show a page, and waits until that is loaded. */
    void show(String url) throws Exception {
        call("Page.enable", "{}");
        call("Page.navigate", "{\"url\":\"" + url + "\"}");
        while (!"Page.loadEventFired".equals(next().get("method"))) {
            // what else it reports
        }
    }

    /** Has somebody choose a file in the page's only field. */
    void choose(Path file) throws Exception {
        Map<?, ?> field = call("Runtime.evaluate", "{\"expression\":\"document.querySelector('input')\"}");
        Object id = ((Map<?, ?>) field.get("result")).get("objectId");
        call("DOM.setFileInputFiles", "{\"objectId\":\"" + id + "\",\"files\":[\"" + file + "\"]}");
    }

    /** What an expression comes to, or its promise. */
    String evaluate(String expression) throws Exception {
        Map<?, ?> answer = call("Runtime.evaluate", "{\"expression\":\"" + expression
                + "\",\"awaitPromise\":true,\"returnByValue\":true}");
        if (answer.get("exceptionDetails") != null) throw new IOException("" + answer);
        return "" + ((Map<?, ?>) answer.get("result")).get("value");
    }

    private Map<?, ?> call(String method, String parameters) throws Exception {
        return send(method, parameters, ",\"sessionId\":\"" + session + "\"");
    }

    private Map<?, ?> send(String method, String parameters, String more) throws Exception {
        long id = ++commands;
        socket.sendText("{\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + parameters + more
                + "}", true).join();
        Map<?, ?> answer = next();
        while (!Long.valueOf(id).equals(answer.get("id"))) answer = next();
        if (answer.get("error") != null) throw new IOException(method + ": " + answer);
        return (Map<?, ?>) answer.get("result");
    }

    private Map<?, ?> next() throws Exception {
        Map<?, ?> message = messages.poll(LIMIT_MINUTES, TimeUnit.MINUTES);
        if (message == null || message.isEmpty()) throw new IOException("Chromium does not answer");
        return message;
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
        partial.append(text);
        if (last) {
            messages.add((Map<?, ?>) JsonReader.read(partial.toString()));
            partial.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        messages.add(Map.of());
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        messages.add(Map.of());
    }

    @Override
    public void close() {
        socket.abort();
    }
}
