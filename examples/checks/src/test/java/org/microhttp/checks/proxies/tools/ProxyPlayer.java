package org.microhttp.checks.proxies.tools;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.util.List;
import org.microhttp.checks.proxies.tools.SeenRequest.Outcome;
import org.microhttp.testing.RawClient;
import org.microhttp.wire.model.ParserVector;
import org.microhttp.wire.model.ReferenceParser;

/**
 * Sends bytes through a proxy, and compares what it and the server behind it made of them. Twice, followed by
 * a marker each time, and all one after the other: so whatever is left of the bytes on a connection to the
 * server meets a marker there. The last marker of a round is its fence: when it is in the logs, so is the
 * rest.
 */
public final class ProxyPlayer {

    private static final int ANSWER_MILLIS = 2000;
    private static final int SHOWN = 400;

    private final Proxy proxy;
    private final LiveLog<SeenRequest> seen;
    private int rounds;

    /** What came of all rounds: how often the proxy sent a request, and how often it answered by itself. */
    public int sent;
    public int answeredByProxy;

    public ProxyPlayer(Proxy proxy, SeenLog log) {
        this.proxy = proxy;
        seen = log.requests;
    }

    /** Says in what proxy and server differ about these bytes, and shows both logs; null if they agree. */
    public String play(byte[] bytes) throws IOException {
        rounds++;
        int firstLine = proxy.log.size();
        int firstSeen = seen.size();
        sendWithMarkerAfter(bytes);
        sendWithMarkerBehind(bytes);
        String difference = fence(marker("fence"), firstLine, firstSeen);
        List<ProxyLine> lines = proxy.log.from(firstLine);
        List<SeenRequest> requests = seen.from(firstSeen);
        sent += lines.stream().mapToInt(line -> line.serverPorts().size()).sum();
        answeredByProxy += (int) lines.stream().filter(line -> line.serverPorts().isEmpty()).count();
        if (difference == null) {
            difference = ProxyComparison.difference(lines, requests);
        }
        return difference == null ? null
                : difference + "\nproxy:  " + shown(lines) + "\nserver: " + shown(requests);
    }

    /**
     * A marker follows once there is an answer, if the bytes are whole requests. Else they end there, and it
     * follows on another connection.
     */
    private void sendWithMarkerAfter(byte[] bytes) throws IOException {
        var text = new String(bytes, ISO_8859_1);
        ReferenceParser.Verdict verdict = ReferenceParser.parse(text, ParserVector.DEFAULT_LIMITS);
        boolean whole = verdict.end().equals("outside") && !verdict.requests().isEmpty();
        try (var client = new RawClient(proxy.port)) {
            try {
                client.send(bytes);
                if (whole) {
                    client.readWithin(ANSWER_MILLIS);
                    client.get(marker("after"));
                }
                client.halfClose();
            } catch (IOException e) {
                // the proxy need not wait for all of it; what it made of it is in its log
            }
            client.readUntilItFails();
        }
        if (!whole) {
            ask(marker("next"));
        }
    }

    private void sendWithMarkerBehind(byte[] bytes) throws IOException {
        String marker = "GET " + marker("behind") + " HTTP/1.1\r\nHost: x\r\n\r\n";
        try (var client = new RawClient(proxy.port)) {
            try {
                client.send(new String(bytes, ISO_8859_1) + marker).halfClose();
            } catch (IOException e) {
                // as above
            }
            client.readUntilItFails();
        }
    }

    private String marker(String kind) {
        return ProxyComparison.MARKER + kind + "/" + rounds;
    }

    /** Says whether the fence got lost, or was answered with the answer to something else. */
    private String fence(String target, int firstLine, int firstSeen) throws IOException {
        String answer = ask(target);
        if (!answer.endsWith("\r\n\r\n" + target)) {
            return "the request that followed got " + shown(answer);
        }
        boolean logged = proxy.log.await(firstLine,
                lines -> lines.stream().anyMatch(line -> line.target().equals(target)));
        boolean ended = seen.await(firstSeen,
                requests -> requests.stream().anyMatch(request -> request.request().contains(target))
                        && requests.stream().noneMatch(request -> request.outcome() == Outcome.BEGUN));
        return !logged ? "the proxy did not log the request that followed"
                : !ended ? "the server did not see the request that followed, or not the end of another"
                : null;
    }

    private String ask(String target) throws IOException {
        try (var client = new RawClient(proxy.port)) {
            return client.get(target).halfClose().readUntilItFails();
        }
    }

    /** Text on one line, and not all of it. */
    public static String shown(Object object) {
        String text = object.toString().replace("\r", "\\r").replace("\n", "\\n");
        return text.length() <= 2 * SHOWN ? text : text.substring(0, SHOWN) + " ... "
                + text.substring(text.length() - SHOWN);
    }
}
