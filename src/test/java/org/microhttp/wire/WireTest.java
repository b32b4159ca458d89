package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Options;
import org.microhttp.testing.Tier;

/**
 * R1, R5 to R17, R20, R23: every vector of wire.txt comes to what it states at a port and at a Unix domain
 * socket, with what is sent in one piece, cut in two, and byte by byte; and then others are served.
 */
class WireTest {

    /** Only the first bytes of a text are cut. */
    private static final int SHORT = 600;
    private static final int CUTS = 4;

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicTest> requests() {
        return vectors("requests");
    }

    @TestFactory
    Stream<DynamicTest> refusals() {
        return vectors("refusals");
    }

    @TestFactory
    Stream<DynamicTest> endsOfResponses() {
        return vectors("the end of a response");
    }

    @TestFactory
    Stream<DynamicTest> persistence() {
        return vectors("persistence");
    }

    @TestFactory
    Stream<DynamicTest> pipelining() {
        return vectors("pipelining");
    }

    @TestFactory
    Stream<DynamicTest> expect() {
        return vectors("Expect");
    }

    @TestFactory
    Stream<DynamicTest> halfClose() {
        return vectors("half-close");
    }

    @TestFactory
    Stream<DynamicTest> resets() {
        return vectors("resets");
    }

    @TestFactory
    Stream<DynamicTest> limits() {
        return vectors("limits");
    }

    @TestFactory
    Stream<DynamicTest> maxRequestsPerConnection() {
        return vectors("maxRequestsPerConnection");
    }

    @TestFactory
    Stream<DynamicTest> closing() {
        return vectors("closing");
    }

    @TestFactory
    Stream<DynamicTest> timeouts() {
        return vectors("timeouts");
    }

    @TestFactory
    Stream<DynamicTest> proxyProtocol() {
        return vectors("PROXY protocol");
    }

    @Test
    void everySectionIsPlayed() {
        long sections = WireVector.load().stream().map(WireVector::section).distinct().count();
        assertEquals(sections, Stream.of(WireTest.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(TestFactory.class)).count());
    }

    private static Stream<DynamicTest> vectors(String section) {
        List<WireVector> vectors = WireVector.load().stream()
                .filter(vector -> vector.section().equals(section)).toList();
        assertFalse(vectors.isEmpty(), section);
        return vectors.stream().map(vector -> DynamicTest.dynamicTest(vector.name(), () -> check(vector)));
    }

    /** A reset would lose a response only now and then. */
    @Test
    @Tier.Gate
    void noResponseIsLostWhileAConnectionCloses() throws Exception {
        for (WireVector vector : WireVector.load()) {
            if (vector.section().equals("closing")) {
                try (var play = new WirePlay(vector, vector.options())) {
                    for (int i = 0; i < 60; i++) {
                        play.play("again", List::of);
                    }
                }
            }
        }
    }

    private static void check(WireVector vector) throws Exception {
        try (var play = new WirePlay(vector, vector.options())) {
            play.play("in one piece", List::of);
            if (!vector.uncut()) {
                for (int cut : cuts(vector)) {
                    play.play("cut at " + cut, text -> cut(text, cut));
                }
                play.play("byte by byte", text -> text.length() > SHORT ? List.of(text)
                        : List.of(text.split("(?s)(?<=.)")));
            }
            play.assertServes();
        }
        if (!vector.alone()) {
            Options options = vector.options().withUnixSocket(folder.resolve("socket"));
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                try (var play = new WirePlay(vector, options)) {
                    play.play("at a Unix domain socket", List::of);
                    play.assertServes();
                }
            });
        }
    }

    /** At most so many places, of all texts that are sent. */
    private static List<Integer> cuts(WireVector vector) {
        int longest = vector.steps().stream().mapToInt(step ->
                step instanceof WireVector.Step.Send send ? send.text().length() : 0).max().orElse(0);
        int length = Math.min(longest, SHORT);
        return IntStream.rangeClosed(1, CUTS).map(i -> i * length / (CUTS + 1)).filter(cut -> cut > 0)
                .distinct().boxed().toList();
    }

    private static List<String> cut(String text, int at) {
        return at >= text.length() ? List.of(text) : List.of(text.substring(0, at), text.substring(at));
    }
}
