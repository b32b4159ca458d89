package org.microhttp.checks.proxies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.checks.proxies.tools.ProxyComparison;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.checks.proxies.tools.ProxyLine;
import org.microhttp.checks.proxies.tools.SeenRequest;
import org.microhttp.checks.proxies.tools.SeenRequest.Outcome;
import org.microhttp.testing.Tier;

/** With logs made up for it: what two logs may differ in, and what they may not. */
@Tier.Gate
class ProxyComparisonTest {

    private static final int HAPROXY_GONE = -1;

    @Test
    void agreesOnTheSameRequestsInTheSameOrder() {
        assertNull(difference(List.of(), List.of()));
        assertNull(difference(List.of(sent("GET", "/a", 200), sent("POST", "/b", 200)),
                List.of(handled("GET", "/a"), handled("POST", "/b"))));
    }

    @Test
    void leavesOutWhatTheProxyAnsweredItself() {
        var line = new ProxyLine(40000, 400, List.of(), "GET", "/a");
        assertNull(difference(List.of(line), List.of()));
        assertNull(difference(List.of(line, sent("GET", "/b", 200)), List.of(handled("GET", "/b"))));
        assertNotNull(difference(List.of(line), List.of(handled("GET", "/a"))));
    }

    @Test
    void findsOneMoreThatTheServerSaw() {
        assertEquals("the proxy sent 1 requests but the server saw 2", difference(
                List.of(sent("POST", "/", 200)), List.of(handled("POST", "/"), handled("GET", "/smuggled"))));
        assertNotNull(difference(List.of(), List.of(handled("GET", "/smuggled"))));
        assertNotNull(difference(List.of(), List.of(refused(400))));
        assertNotNull(difference(List.of(), List.of(cut(0))));
    }

    @Test
    void findsOneMoreThatTheProxySent() {
        assertEquals("the proxy sent 2 requests but the server saw 1", difference(
                List.of(sent("GET", "/a", 200), sent("GET", "/b", 200)), List.of(handled("GET", "/a"))));
        assertNotNull(difference(List.of(sent("GET", "/a", 400)), List.of()));
    }

    @Test
    void findsAnotherOrder() {
        String difference = difference(List.of(sent("GET", "/a", 200), sent("GET", "/b", 200)),
                List.of(handled("GET", "/b"), handled("GET", "/a")));
        assertTrue(difference.contains("target=/a") && difference.contains("GET /b HTTP/1.1"), difference);
    }

    @Test
    void findsAnotherMethodOrTarget() {
        assertNotNull(difference(sent("GET", "/a", 200), handled("POST", "/a")));
        assertNotNull(difference(sent("GET", "/a", 200), handled("XGET", "/a")));
        assertNotNull(difference(sent("GET", "/a", 200), handled("GET", "/b")));
        assertNotNull(difference(sent("GET", "/a", 200), handled("GET", "/ab")));
        assertNotNull(difference(sent("GET", "/ab", 200), handled("GET", "/a")));
    }

    @Test
    void comparesALongTargetAsFarAsItIsLogged() {
        String logged = "/" + "a".repeat(1018);
        assertNull(difference(sent("GET", logged, 200), handled("GET", logged + "b")));
        assertNotNull(difference(sent("GET", logged, 200), handled("GET", "/b" + logged)));
        String whole = logged.substring(1);
        assertNotNull(difference(sent("GET", whole, 200), handled("GET", whole + "b")));
    }

    @Test
    void findsTheAnswerToAnotherRequest() {
        assertNotNull(difference(sent("GET", "/a", 502), handled("GET", "/a")));
        assertNull(difference(sent("GET", "/a", 431), refused(431)));
        assertNotNull(difference(sent("GET", "/a", 200), refused(431)));
    }

    @Test
    void acceptsAnyEndOfWhatTheClientBrokeOff() {
        for (int status : List.of(HAPROXY_GONE, 400)) {
            assertNull(difference(sent("POST", "/", status), handled("POST", "/")));
            assertNull(difference(sent("POST", "/", status), refused(413)));
            assertNull(difference(sent("POST", "/", status), cut(0)));
            assertNull(difference(sent("POST", "/", status), cut(400)));
        }
        assertNotNull(difference(sent("POST", "/", 200), cut(0)));
        assertNotNull(difference(sent("POST", "/", 200), cut(400)));
    }

    @Test
    void findsThatAMarkerWasNotHandled() {
        String target = ProxyComparison.MARKER + "after/1";
        assertNull(difference(sent("GET", target, 200), handled("GET", target)));
        assertNotNull(difference(sent("GET", target, 400), refused(400)));
        assertNotNull(difference(sent("GET", target, 400), cut(400)));
        // bytes before it have made this one another request
        assertNull(difference(sent("G{T", target, 400), refused(400)));
    }

    @Test
    void findsARequestThatDoesNotEnd() {
        assertNotNull(difference(sent("GET", "/a", 200), new SeenRequest("1", Outcome.BEGUN, "", 0)));
    }

    @Test
    void countsWhatTheProxySentAgain() {
        var twice = new ProxyLine(40000, 200, Collections.nCopies(2, 8080), "GET", "/a");
        assertNotNull(difference(twice, handled("GET", "/a")));
        assertNull(difference(List.of(twice), List.of(handled("GET", "/a"), handled("GET", "/a"))));
    }

    @Test
    void readsTheLinesOfNginx() {
        assertLine(ProxyKind.NGINX, "request 40000 200 [127.0.0.1:8080] [35] GET /a\\x5Cb#23 c",
                200, List.of(8080), "GET", "/a\\b#23 c");
        assertLine(ProxyKind.NGINX, "request 40000 200 [127.0.0.1:8080, 127.0.0.1:8081] [35, 36] GET /a",
                200, List.of(8080, 8081), "GET", "/a");
        assertLine(ProxyKind.NGINX, "request 40000 200 [127.0.0.1:8080, 127.0.0.1:8081] [0, 36] GET /a",
                200, List.of(8081), "GET", "/a");
        assertLine(ProxyKind.NGINX, "request 40000 502 [127.0.0.1:8080] [-] POST ?a",
                502, List.of(), "POST", "/?a");
        assertLine(ProxyKind.NGINX, "request 40000 400 [-] [-] - -", 400, List.of(), "-", "-");
    }

    @Test
    void readsTheLinesOfHaproxy() {
        assertLine(ProxyKind.HAPROXY, "request 40000 -1 [127.0.0.1:8080] [0] GET /a#23\\x5C",
                HAPROXY_GONE, List.of(8080), "GET", "/a#\\x5C");
        assertLine(ProxyKind.HAPROXY, "request 40000 503 [127.0.0.1:8080] [-1] GET /",
                503, List.of(), "GET", "/");
        assertLine(ProxyKind.HAPROXY, "request 40000 400 [-:-] [-1] <BADREQ> <BADREQ>",
                400, List.of(), "<BADREQ>", "<BADREQ>");
        assertNull(ProxyLine.parse(ProxyKind.HAPROXY, "[NOTICE] something else"));
    }

    private static void assertLine(ProxyKind kind, String line, int status, List<Integer> serverPorts,
            String method, String target) {
        assertEquals(new ProxyLine(40000, status, serverPorts, method, target), ProxyLine.parse(kind, line));
    }

    private static String difference(ProxyLine sent, SeenRequest seen) {
        return difference(List.of(sent), List.of(seen));
    }

    private static String difference(List<ProxyLine> lines, List<SeenRequest> seen) {
        return ProxyComparison.difference(lines, seen);
    }

    private static ProxyLine sent(String method, String target, int status) {
        return new ProxyLine(40000, status, List.of(8080), method, target);
    }

    private static SeenRequest handled(String method, String target) {
        return new SeenRequest("1", Outcome.HANDLED, method + " " + target + " HTTP/1.1", 200);
    }

    private static SeenRequest refused(int status) {
        return new SeenRequest("1", Outcome.REFUSED, "a_code", status);
    }

    private static SeenRequest cut(int status) {
        return new SeenRequest("1", Outcome.CUT, "", status);
    }
}
