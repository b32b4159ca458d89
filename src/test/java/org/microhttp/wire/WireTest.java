package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.file.Path;
import java.time.Duration;
import java.util.*;
import java.util.stream.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.Options;
import org.microhttp.testing.TestServer;

/**
 * R1, R5 to R17, R20, R23: every vector of wire.txt comes to what it states at a port and at a Unix domain
 * socket, with what is sent in one piece, cut in two, and byte by byte; and then others are served.
 */
class WireTest {

    /** What is cut is no longer: of longer texts only the ends of lines are. */
    private static final int SHORT = 600;
    private static final int CUTS = 4;

    @TempDir
    private static Path folder;

    @TestFactory
    Stream<DynamicContainer> clientGetsWhatTheVectorStates() {
        var sections = new LinkedHashMap<String, List<DynamicTest>>();
        for (WireVector vector : WireVector.load()) {
            sections.computeIfAbsent(vector.section(), s -> new ArrayList<>())
                    .add(DynamicTest.dynamicTest(vector.name(), () -> check(vector)));
        }
        return sections.entrySet().stream()
                .map(s -> DynamicContainer.dynamicContainer(s.getKey(), s.getValue()));
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
