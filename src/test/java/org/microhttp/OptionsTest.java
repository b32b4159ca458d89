package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.testing.*;

/**
 * Each option takes what its documentation says, and refuses the rest by name, value and range. A new option
 * needs no line here if its range is the usual one; its default is compared with the table of the documents.
 */
class OptionsTest {

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(365);
    private static final ErrorHandler DEFAULT_ERRORS = ServerError::response;
    private static final Runnable NOTHING = () -> { };
    private static final Consumer<ExchangeSummary> NOBODY = exchange -> { };

    /** Of numbers whose range is another than from 1, or from 0 if that is the default, to the largest. */
    private static final Map<String, List<Integer>> RANGES = Map.of("port", List.of(0, 65_535),
            "maxHeaders", List.of(1, 1_000_000), "minReceiveRate", List.of(0, Integer.MAX_VALUE));

    /** An option, by its setter. */
    private record Option(String name, Method setter) {

        Class<?> type() {
            return setter.getParameterTypes()[0];
        }

        Object of(Options options) throws ReflectiveOperationException {
            return Options.class.getMethod(name).invoke(options);
        }

        /** The options it is set of stay as they are. */
        Options with(Options options, Object value) throws ReflectiveOperationException {
            String before = options.toString();
            var changed = (Options) setter.invoke(options, value);
            assertEquals(before, options.toString(), name + " changes the options");
            return changed;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final ServerSocketChannel listener;

    OptionsTest() throws IOException {
        listener = ServerSocketChannel.open();
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private static List<Option> all() {
        return Arrays.stream(Options.class.getMethods()).filter(method -> method.getName().startsWith("with"))
                .map(method -> new Option(method.getName().substring(4, 5).toLowerCase()
                        + method.getName().substring(5), method)).toList();
    }

    private static Stream<Option> allOf(Class<?>... types) {
        return all().stream().filter(option -> List.of(types).contains(option.type()));
    }

    static Stream<Option> numbers() {
        return allOf(int.class, long.class);
    }

    static Stream<Option> times() {
        return allOf(Duration.class);
    }

    /** The accessor returns the value, and the text shows it, unless it is the default. */
    private static void assertTaken(Option option, Object value) throws ReflectiveOperationException {
        boolean usual = Objects.equals(value, option.of(new Options()));
        Options options = option.with(new Options(), value);
        assertEquals(value, option.of(options), option.name);
        assertEquals(usual ? "Options[]" : "Options[" + option + "=" + value + "]", options.toString());
    }

    private static void assertRefused(Option option, Object value, String range) {
        var thrown = assertThrows(InvocationTargetException.class, () ->
                option.setter.invoke(new Options(), value), () -> option + " takes " + value);
        var refusal = assertInstanceOf(IllegalArgumentException.class, thrown.getCause());
        assertEquals(option + " is " + value + "; allowed: " + range, refusal.getMessage());
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void numberHasARange(Option option) throws Exception {
        boolean wide = option.type() == long.class;
        Function<Long, Number> number = n -> wide ? (Number) n : (Number) n.intValue();
        long largest = wide ? Long.MAX_VALUE : Integer.MAX_VALUE;
        boolean zero = ((Number) option.of(new Options())).longValue() == 0;
        List<? extends Number> own = RANGES.getOrDefault(option.name, List.of());
        long least = own.isEmpty() ? zero ? 0 : 1 : own.get(0).longValue();
        long most = own.isEmpty() ? largest : own.get(1).longValue();
        for (long good : new long[] {least, least + 1, most - 1, most}) {
            assertTaken(option, number.apply(good));
        }
        LongStream.of(least - 1, -1, -largest - 1, most + 1, largest).filter(n -> n < least || n > most)
                .forEach(bad -> assertRefused(option, number.apply(bad), least + " to " + most));
    }

    @ParameterizedTest
    @MethodSource("times")
    void timeIsAMillisecondToAYear(Option option) throws Exception {
        for (Duration good : List.of(LEAST, Duration.ofSeconds(1), MOST)) {
            assertTaken(option, good);
        }
        for (Duration bad : List.of(Duration.ZERO, LEAST.minusNanos(1), LEAST.negated(), MOST.plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE))) {
            assertRefused(option, bad, LEAST + " to " + MOST);
        }
        if (option.of(new Options()) == null) {
            assertTaken(option, null);
        } else {
            assertRefused(option, null, LEAST + " to " + MOST);
        }
    }

    @Test
    void otherOptionsTakeAllValues() throws Exception {
        Map<Class<?>, List<Object>> values = Map.of(boolean.class, List.of(true, false),
                String.class, Arrays.asList("127.0.0.1", null), Path.class, Arrays.asList(Path.of("a"), null),
                List.class, List.of(List.of("::1/128"), List.of()),
                ServerSocketChannel.class, Arrays.asList(listener, null),
                ErrorHandler.class, Arrays.asList(DEFAULT_ERRORS, null),
                Runnable.class, Arrays.asList(NOTHING, null), Consumer.class, Arrays.asList(NOBODY, null));
        for (Option option : all()) {
            for (Object value : values.getOrDefault(option.type(), List.of())) {
                assertTaken(option, value);
            }
            boolean tried = values.containsKey(option.type()) || numbers().anyMatch(option::equals)
                    || times().anyMatch(option::equals);
            assertTrue(tried, () -> "no test tries an option of the type of " + option
                    + ", so its values go unchecked: add some to those above");
        }
    }

    @Test
    void onlyWhatDiffersFromTheDefaultsIsShown() {
        var options = new Options().withPort(0).withMaxConnections(100).withSocketTimeout(MOST)
                .withHost(null);
        assertEquals("Options[host=null, port=0, socketTimeout=PT8760H, maxConnections=100]", "" + options);
        assertEquals("Options[]", "" + options.withPort(8080).withMaxConnections(Long.MAX_VALUE)
                .withSocketTimeout(Duration.ofSeconds(75)).withHost("localhost"));
    }

    @Test
    void listOfTrustedProxiesIsCopied() {
        var networks = new ArrayList<>(List.of("10.0.0.0/8"));
        var options = new Options().withTrustedProxies(networks);
        networks.add("anybody");
        assertEquals(List.of("10.0.0.0/8"), options.trustedProxies());
        assertThrows(UnsupportedOperationException.class, () -> options.trustedProxies().clear());
        assertThrows(NullPointerException.class, () -> options.withTrustedProxies(null));
        assertThrows(NullPointerException.class, () -> options.withTrustedProxies(Arrays.asList("::1/128",
                null)));
    }

    /** The limit is a quarter of the heap if none is set. */
    @ParameterizedTest
    @EnumSource
    void bufferLimitMustHoldAWholeRequest(ServerKind kind) throws Exception {
        long quarter = Runtime.getRuntime().maxMemory() / 4;
        assumeTrue(quarter < Integer.MAX_VALUE, "no request can be above a quarter of so large a heap");
        var options = TestServer.options().withMaxRequestSize((int) quarter + 1);
        for (Options bad : List.of(options, options.withMaxBufferedBytes(quarter))) {
            String message = assertThrows(IllegalArgumentException.class, () ->
                    kind.make(bad, TestServer::echoTarget).close()).getMessage();
            assertEquals("maxRequestSize (at most maxBufferedBytes, by default a quarter of the heap) is "
                    + (quarter + 1) + "; allowed: 1 to " + quarter, message);
        }
        for (Options good : List.of(options.withMaxRequestSize((int) quarter),
                options.withMaxBufferedBytes(quarter + 1))) {
            kind.make(good, TestServer::echoTarget).close();
        }
    }

    @Test
    void defaultsStartWithAnyHeap() {
        int usual = new Options().maxRequestSize();
        for (int shift = 0; shift < 63; shift++) {
            long heap = 1L << shift;
            long limit = Math.max(heap / 4, usual);
            assertEquals(limit, new Options().bufferLimit(heap));
            assertEquals(limit, new Options().withMaxRequestSize(1).bufferLimit(heap));
            int largest = (int) Math.min(limit, Integer.MAX_VALUE);
            assertEquals(limit, new Options().withMaxRequestSize(largest).bufferLimit(heap));
            if (largest == Integer.MAX_VALUE) continue;
            var larger = new Options().withMaxRequestSize(largest + 1);
            assertThrows(IllegalArgumentException.class, () -> larger.bufferLimit(heap));
            assertEquals(limit + 1, larger.withMaxBufferedBytes(limit + 1).bufferLimit(heap));
        }
    }
}
