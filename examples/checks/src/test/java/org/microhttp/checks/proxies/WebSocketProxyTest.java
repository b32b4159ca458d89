package org.microhttp.checks.proxies;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.extras.testing.FrameClient;
import org.microhttp.extras.testing.JdkSocket;
import org.microhttp.extras.testing.NotedSocket;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketOptions;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
import org.microhttp.testing.TestServer;
import org.microhttp.testing.Tier;

/** The package {@code websocket} behind proxies, nginx with the lines that the page of the examples has. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class WebSocketProxyTest {

    private static final Pattern SHOWN =
            Pattern.compile("(?s)(map .*?\n})\nserver \\{.*?proxy_pass [^;]+;(.*?)\n    }\n");

    @TempDir
    private Path folder;

    private final NotedSocket noted = new NotedSocket();
    private final WebSocketOptions options = new WebSocketOptions();

    private static String change(String configuration) {
        String page = Readme.read(Readme.EXAMPLES);
        Matcher shown = SHOWN.matcher(Readme.blocks(page, "text").stream()
                .filter(block -> block.contains("$http_upgrade")).findFirst().orElseThrow());
        assertTrue(shown.find());
        String upstream = "upstream servers {";
        String pass = "proxy_pass http://servers;";
        return configuration.replace(upstream, shown.group(1) + "\n" + upstream)
                .replace(pass, pass + shown.group(2));
    }

    private TestServer serve() throws Exception {
        return new TestServer((request, callback) ->
                callback.accept(WebSocket.upgrade(request, options, noted)));
    }

    private Proxy start(ProxyKind kind, TestServer server) throws Exception {
        Proxy.assumeInstalled(kind);
        return Proxy.start(kind, WebSocketProxyTest::change, folder, List.of(server.itself.getPort()));
    }

    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY"})
    void messagesAndEndsGoThrough(ProxyKind kind) throws Exception {
        try (TestServer server = serve(); Proxy proxy = start(kind, server)) {
            JdkSocket client = JdkSocket.connect(URI.create("ws://127.0.0.1:" + proxy.port + "/"));
            noted.expect("open");
            WebSocket socket = noted.socket();
            client.await(client.socket.sendText("ü".repeat(100_000), true));
            noted.expect("text " + "ü".repeat(100_000));
            assertTrue(socket.sendBinary(ByteBuffer.allocate(300_000)));
            client.expect("2:" + "00".repeat(300_000));
            client.await(client.socket.sendClose(4321, "bye"));
            client.expect("close 4321 ");
            noted.expect("close 4321 bye");
        }
    }

    /** By default a page has to be from the host that is asked, so the proxy has to pass its own on. */
    @ParameterizedTest
    @EnumSource(names = {"NGINX", "HAPROXY"})
    void aPageOfTheProxyMayConnect(ProxyKind kind) throws Exception {
        try (TestServer server = serve(); Proxy proxy = start(kind, server)) {
            String host = "127.0.0.1:" + proxy.port;
            for (String origin : List.of("http://" + host, "http://127.0.0.1:1")) {
                try (var client = new RawClient(proxy.port)) {
                    String handshake = FrameClient.HANDSHAKE.replace("Host: x", "Host: " + host);
                    client.send(handshake + "Origin: " + origin + "\r\n\r\n");
                    String head = client.readUntil("\r\n\r\n");
                    String status = origin.endsWith(host) ? "101 " : "403 ";
                    assertTrue(head.startsWith("HTTP/1.1 " + status), head);
                }
            }
            noted.expect("open");
            assertTrue(noted.end().startsWith("close 1006 "));
        }
    }
}
