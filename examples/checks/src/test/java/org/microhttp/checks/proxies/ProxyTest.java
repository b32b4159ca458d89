package org.microhttp.checks.proxies;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The settings of proxies, with which the other tests show that servers are right behind them. */
@Tier.Gate
final class ProxyTest {

    private static final Pattern SETTING = Pattern.compile("`([^`]+)`");

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
}
