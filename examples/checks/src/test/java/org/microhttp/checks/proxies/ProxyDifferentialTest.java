package org.microhttp.checks.proxies;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.checks.proxies.tools.HidingRelay;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyComparison;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.checks.proxies.tools.ProxyPlayer;
import org.microhttp.checks.proxies.tools.SeenLog;
import org.microhttp.checks.proxies.tools.SeenRequest;
import org.microhttp.checks.proxies.tools.SeenRequest.Outcome;
import org.microhttp.checks.proxies.tools.SeenServer;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.ParserVector;

/**
 * A server and a proxy in front of it never differ in what the requests are that a client sent: else the end
 * of one client's request could become the beginning of another's. Sends what the vectors send, good and
 * bad, to proxies that let pass as much as they can.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class ProxyDifferentialTest {

    /** Each may cost the time that is waited for what does not come. */
    private static final int MAX_FINDINGS = 5;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "NGINX_STREAMING", "HAPROXY_SHARING"})
    void serverSeesTheRequestsThatTheProxySent(ProxyKind kind) throws IOException {
        Proxy.assumeInstalled(kind);
        Map<String, String> inputs = inputs();
        try (var server = new SeenServer();
                var proxy = Proxy.start(kind, folder, List.of(server.port()))) {
            var player = new ProxyPlayer(proxy, server.log);
            assertEquals(List.of(), findings(player, inputs));
            checkReach(inputs.size(), player, server.log);
        }
    }

    /** By their bytes, which each are sent once, their names. */
    private static Map<String, String> inputs() {
        var inputs = new LinkedHashMap<String, String>();
        for (ParserVector vector : ParserVector.load()) {
            String name = vector.section() + ": " + vector.name();
            inputs.putIfAbsent(new String(vector.bytes(), ISO_8859_1), name);
        }
        return inputs;
    }

    private static List<String> findings(ProxyPlayer player, Map<String, String> inputs) throws IOException {
        var findings = new ArrayList<String>();
        for (Map.Entry<String, String> input : inputs.entrySet()) {
            String difference = player.play(input.getKey().getBytes(ISO_8859_1));
            if (difference != null) {
                findings.add("\n" + input.getValue() + ": " + ProxyPlayer.shown(input.getKey()) + "\n"
                        + difference + "\n");
            }
            if (findings.size() == MAX_FINDINGS) {
                break;
            }
        }
        return findings;
    }

    /** That they agree says something only if much came through, on connections that clients shared. */
    private static void checkReach(int inputs, ProxyPlayer player, SeenLog log) {
        List<SeenRequest> seen = log.requests.from(0);
        long refused = seen.stream().filter(request -> request.outcome() == Outcome.REFUSED).count();
        long handled = seen.stream().filter(request -> request.outcome() == Outcome.HANDLED).count();
        long markers = seen.stream().filter(r -> r.request().contains(ProxyComparison.MARKER)).count();
        String counts = inputs + " inputs: the proxy answered " + player.answeredByProxy
                + " requests itself and sent " + player.sent + " on " + log.connections()
                + " connections; the server saw " + seen.size() + ", handled " + handled + ", " + markers
                + " of these markers, and refused " + refused;
        assertEquals(player.sent, seen.size(), counts);
        assertTrue(handled - markers > inputs / 4 && refused > inputs / 4, counts);
        assertTrue(log.connections() < handled / 4, counts);
    }

    @ParameterizedTest
    @EnumSource
    void findsWhatIsSmuggledInABody(ProxyKind kind) throws IOException {
        Proxy.assumeInstalled(kind);
        String request = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
        // the next request becomes a part of the last two: one is handled, one has two Host fields and is not
        List<String> bodies = List.of(request, request.replace("Host: x\r\n\r\n", "X: "),
                request.replace("\r\n\r\n", "\r\nX: "));
        try (var server = new SeenServer();
                var relay = new HidingRelay(server.port());
                var proxy = Proxy.start(kind, folder, List.of(relay.port()))) {
            var player = new ProxyPlayer(proxy, server.log);
            assertNull(player.play(request.getBytes(ISO_8859_1)));
            for (String body : bodies) {
                String head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n";
                assertNotNull(player.play((head + body).getBytes(ISO_8859_1)), body);
            }
        }
    }
}
