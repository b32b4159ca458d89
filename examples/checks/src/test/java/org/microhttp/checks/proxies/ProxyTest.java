package org.microhttp.checks.proxies;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.checks.proxies.tools.ProxyLine;
import org.microhttp.checks.proxies.tools.SeenServer;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** What other tests expect of a proxy in front of their servers. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ProxyTest {

    private static final int REQUESTS = 6;
    private static final Pattern SETTING = Pattern.compile("`([^`]+)`");

    @TempDir
    Path folder;

    /** What the page on operating names for a proxy is what these tests show to be right. */
    @Test
    void areSetUpAsThePageSays() {
        String page = Readme.read(Readme.PAGES.resolve("operating.md"));
        Set<String> settings = page.lines().filter(line -> line.startsWith("| ") && line.contains(" nginx "))
                .flatMap(line -> SETTING.matcher(line.substring(0, line.indexOf(" | "))).results())
                .map(setting -> setting.group(1)).collect(toSet());
        assertEquals(Set.of("proxy_http_version 1.1", "Connection", "keepalive", "keepalive_timeout 500ms",
                "upstream", "max_fails=0", "option redispatch 1"), settings);
        String both = ProxyKind.NGINX.configuration(1, List.of(2, 3))
                + ProxyKind.HAPROXY.configuration(1, List.of(2, 3));
        for (String setting : settings) assertTrue(both.contains(setting), setting);
    }

    @ParameterizedTest
    @EnumSource
    void takesItsServersInTurnOnConnectionsThatPersist(ProxyKind kind) throws IOException {
        Proxy.assumeInstalled(kind);
        try (var one = new SeenServer(); var two = new SeenServer();
                var proxy = Proxy.start(kind, folder, List.of(one.port(), two.port()))) {
            List<Integer> ports = ask(proxy);
            assertEquals(Set.of(one.port(), two.port()), Set.copyOf(ports));
            assertEquals(REQUESTS, ports.size());
            for (SeenServer server : List.of(one, two)) {
                assertEquals(REQUESTS / 2, server.log.requests.size());
                assertEquals(1, server.log.connections());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void turnsToAnotherServerWhenOneHasStopped(ProxyKind kind) throws IOException {
        Proxy.assumeInstalled(kind);
        try (var staying = new SeenServer(); var stopping = new SeenServer();
                var proxy = Proxy.start(kind, folder, List.of(stopping.port(), staying.port()))) {
            stopping.stop();
            assertEquals(Set.of(staying.port()), Set.copyOf(ask(proxy)));
        }
    }

    /** Some requests on one connection, and where they went by the proxy's log. */
    private static List<Integer> ask(Proxy proxy) throws IOException {
        int start = proxy.log.size();
        try (var client = new RawClient(proxy.port)) {
            for (int i = 0; i < REQUESTS; i++) {
                assertEquals("/" + i, client.get("/" + i).response().text());
            }
        }
        assertTrue(proxy.log.await(start, lines -> lines.size() == REQUESTS));
        return proxy.log.from(start).stream().flatMap(line -> line.serverPorts().stream()).toList();
    }
}
