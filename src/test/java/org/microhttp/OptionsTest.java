package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.Readme;
import org.microhttp.tools.TestServer;

/** Each option takes what its documentation says, and refuses the rest by name, value and range. */
class OptionsTest {

    private static final int GIB = 1 << 30;
    private static final int MAX = Integer.MAX_VALUE;

    private static <T> void check(String name, BiFunction<Options, T, Options> setter, List<T> good,
            List<T> bad) {
        for (T value : good) {
            var options = new Options();
            assertSame(options, setter.apply(options, value), name);
        }
        for (T value : bad) {
            var thrown = assertThrows(IllegalArgumentException.class, () ->
                    setter.apply(new Options(), value));
            String message = thrown.getMessage();
            assertTrue(message.contains(name), message);
            assertTrue(message.contains("" + value), message);
            assertTrue(message.contains("allowed: " + good.get(0) + " to "), message);
        }
    }

    /** Whoever adds an option, and no test of it here, is told. */
    @Test
    void asksEachSetter() {
        String source = Readme.read(Readme.ROOT.resolve("src/test/java/org/microhttp/OptionsTest.java"));
        for (Method setter : Options.class.getMethods()) {
            String name = setter.getName();
            assertTrue(!name.startsWith("with") || source.contains(name), name);
        }
    }

    @Test
    void boundsNumbers() {
        check("port", Options::withPort, List.of(0, 1, 8080, 65_535),
                List.of(-1, 65_536, Integer.MIN_VALUE, MAX));
        check("acceptLength", Options::withAcceptLength, List.of(0, 1, MAX), List.of(-1, Integer.MIN_VALUE));
        check("readBufferSize", Options::withReadBufferSize, List.of(1, 2, GIB),
                List.of(0, -1, Integer.MIN_VALUE));
        check("maxRequestSize", Options::withMaxRequestSize, List.of(1, 2, GIB),
                List.of(0, -1, Integer.MIN_VALUE));
        check("maxHeaderSize", Options::withMaxHeaderSize, List.of(1, 2, GIB),
                List.of(0, -1, Integer.MIN_VALUE));
        check("maxHeaders", Options::withMaxHeaders, List.of(1, 2, 1_000_000),
                List.of(0, -1, 1_000_001, MAX));
        check("sendBufferSize", Options::withSendBufferSize, List.of(0, 1, MAX),
                List.of(-1, Integer.MIN_VALUE));
        check("receiveBufferSize", Options::withReceiveBufferSize, List.of(0, 1, MAX), List.of(-1));
        check("maxConnections", Options::withMaxConnections, List.of(1L, 2L, Long.MAX_VALUE),
                List.of(0L, -1L));
        check("maxPendingRequests", Options::withMaxPendingRequests, List.of(1L, 2L, Long.MAX_VALUE),
                List.of(0L, -1L));
        check("maxRequestsPerConnection", Options::withMaxRequestsPerConnection,
                List.of(1L, 2L, Long.MAX_VALUE), List.of(0L, -1L, Long.MIN_VALUE));
        check("maxBufferedBytes", Options::withMaxBufferedBytes, List.of(0L, 1L, Long.MAX_VALUE),
                List.of(-1L, Long.MIN_VALUE));
    }

    @Test
    void boundsTimes() {
        var good = List.of(Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofDays(365));
        var bad = List.of(Duration.ZERO, Duration.ofNanos(999_999), Duration.ofMillis(-1),
                Duration.ofDays(365).plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE));
        check("socketTimeout", Options::withSocketTimeout, good, bad);
        check("requestTimeout", Options::withRequestTimeout, good, bad);
        check("handlerTimeout", Options::withHandlerTimeout, good, bad);
        check("resolution", Options::withResolution, good, bad);
        check("watchdog", Options::withWatchdog, good, bad);
    }

    @Test
    void refusesNullTimesByName() {
        List<BiFunction<Options, Duration, Options>> setters = List.of(Options::withSocketTimeout,
                Options::withRequestTimeout, Options::withHandlerTimeout, Options::withResolution);
        for (var setter : setters) {
            var thrown = assertThrows(IllegalArgumentException.class, () ->
                    setter.apply(new Options(), null));
            assertTrue(thrown.getMessage().contains("null"), thrown.getMessage());
        }
    }

    @Test
    void takesSwitchesAndHosts() {
        var options = new Options();
        assertSame(options, options.withReuseAddr(false).withReuseAddr(true));
        assertSame(options, options.withReusePort(true).withReusePort(false));
        assertSame(options, options.withHost("localhost").withHost(null));
        assertSame(options, options.withProxyProtocol(true).withProxyProtocol(false));
        assertSame(options, options.withInheritedSocket(true).withInheritedSocket(false));
        assertSame(options, options.withUnixSocket(Path.of("a")).withUnixSocket(null));
    }

    @Test
    void copiesTheListOfTrustedProxies() {
        var networks = new ArrayList<>(List.of("10.0.0.0/8"));
        var options = new Options();
        assertSame(options, options.withTrustedProxies(networks));
        networks.add("anybody");
        assertEquals(List.of("10.0.0.0/8"), options.trustedProxies);
        assertThrows(UnsupportedOperationException.class, () -> options.trustedProxies.clear());
        assertEquals(List.of(), options.withTrustedProxies(List.of()).trustedProxies);
        assertThrows(NullPointerException.class, () -> options.withTrustedProxies(null));
        assertThrows(NullPointerException.class, () -> options.withTrustedProxies(Arrays.asList("::1/128",
                null)));
    }

    @Test
    void hasTheDocumentedDefaults() {
        var options = new Options();
        assertEquals("localhost", options.host);
        assertEquals(8080, options.port);
        assertEquals(64 * 1024, options.readBufferSize);
        assertEquals(1024 * 1024, options.maxRequestSize);
        assertEquals(32 * 1024, options.maxHeaderSize);
        assertEquals(100, options.maxHeaders);
        assertEquals(Duration.ofSeconds(75), options.socketTimeout);
        assertEquals(Duration.ofSeconds(60), options.requestTimeout);
        assertEquals(Duration.ofMinutes(5), options.handlerTimeout);
        assertEquals(Duration.ofMillis(100), options.resolution);
        assertEquals(0, options.maxBufferedBytes);
        assertEquals(Long.MAX_VALUE, options.maxConnections);
        assertEquals(Long.MAX_VALUE, options.maxPendingRequests);
        assertEquals(Long.MAX_VALUE, options.maxRequestsPerConnection);
        assertEquals(null, options.unixSocket);
        assertEquals(List.of("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
                "::1/128", "fc00::/7", "fe80::/10"), options.trustedProxies);
        assertTrue(!options.inheritedSocket && !options.proxyProtocol);
        assertEquals(null, options.watchdog);
        assertTrue(options.reuseAddr && !options.reusePort);
    }

    @Test
    void refusesABufferLimitThatHoldsNoWholeRequest() throws Exception {
        var options = TestServer.options().withMaxRequestSize(1000).withMaxBufferedBytes(999);
        var thrown = assertThrows(IllegalArgumentException.class, () ->
                new EventLoop(options, TestServer::echoTarget));
        for (String part : List.of("maxBufferedBytes", "999", "1000", "maxRequestSize")) {
            assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
        }
        new EventLoop(options.withMaxBufferedBytes(1000), new NoopLogger(), TestServer::echoTarget).close();
        new EventLoop(options.withMaxBufferedBytes(0), new NoopLogger(), TestServer::echoTarget).close();
    }

    @Test
    void isReadOnceByTheLoop() throws Exception {
        var options = TestServer.options().withMaxRequestSize(1000);
        try (var server = new TestServer(options, TestServer::echoBody)) {
            options.withMaxRequestSize(10).withPort(1);
            server.connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n"
                    + "a".repeat(500))
                    .expectOk("a".repeat(500));
        }
    }

    @Test
    void listensOnEveryInterfaceForNull() throws Exception {
        try (var server = new TestServer(TestServer.options().withHost(null), TestServer::echoTarget)) {
            server.assertServes();
        }
    }

    /** Each accessor that programs for 0.x may use tells what its setter was given. */
    @Test
    void tellsTheOptionsThatEarlierVersionsTold() {
        Options options = new Options().withHost("127.0.0.1").withPort(1).withAcceptLength(2)
                .withReuseAddr(false).withReusePort(true).withReadBufferSize(3).withMaxRequestSize(4)
                .withRequestTimeout(Duration.ofSeconds(5)).withSocketTimeout(Duration.ofSeconds(7))
                .withResolution(Duration.ofMillis(6));
        assertEquals("127.0.0.1", options.host());
        assertEquals(List.of(1, 2, 3, 4), List.of(options.port(), options.acceptLength(),
                options.readBufferSize(), options.maxRequestSize()));
        assertEquals(List.of(false, true), List.of(options.reuseAddr(), options.reusePort()));
        assertEquals(Duration.ofSeconds(5), options.requestTimeout());
        assertEquals(Duration.ofSeconds(7), options.socketTimeout());
        assertEquals(Duration.ofMillis(6), options.resolution());
    }

    /** All that a loop goes by is what it was constructed with; it is changed to what would be noticed. */
    private static void spoil(Options options) {
        options.withHost("0.0.0.0").withPort(1).withMaxRequestSize(1).withMaxHeaderSize(1).withMaxHeaders(1)
                .withReadBufferSize(1).withSocketTimeout(Duration.ofMillis(1)).withMaxBufferedBytes(1)
                .withRequestTimeout(Duration.ofMillis(1)).withHandlerTimeout(Duration.ofMillis(1))
                .withMaxConnections(1).withMaxPendingRequests(1).withResolution(Duration.ofDays(1))
                .withWatchdog(Duration.ofMillis(1)).withMaxRequestsPerConnection(1).withProxyProtocol(true)
                .withTrustedProxies(List.of()).withInheritedSocket(true);
    }

    private static void assertServesLargeRequests(SocketAddress address, int port) throws IOException {
        assertEquals(new InetSocketAddress("127.0.0.1", port), address);
        String body = "a".repeat(5_000);
        String request = "POST / HTTP/1.1\r\nHost: x\r\nA: b\r\nContent-Length: 5000\r\n\r\n" + body;
        try (var one = new RawClient(port); var two = new RawClient(port)) {
            one.send(request).expectOk(body);
            two.send(request).expectOk(body);
        }
    }

    @Test
    void haveNoEffectOnALoopWhenTheyAreChangedLater() throws Exception {
        var options = TestServer.options().withMaxPendingRequests(100);
        var loop = new EventLoop(options, new NoopLogger(), TestServer::echoBody);
        spoil(options);
        var thread = new Thread(loop::start);
        thread.start();
        assertServesLargeRequests(loop.getAddress(), loop.getPort());
        loop.close();
        TestServer.join(thread);
    }

    @Test
    void haveNoEffectOnAGroupWhenTheyAreChangedLater() throws Exception {
        var options = TestServer.options().withMaxPendingRequests(100);
        var group = new EventLoopGroup(options, new NoopLogger(), TestServer::echoBody, 2);
        spoil(options);
        var thread = new Thread(group::start);
        thread.start();
        assertServesLargeRequests(group.getAddress(), group.getPort());
        group.close();
        TestServer.join(thread);
    }
}
