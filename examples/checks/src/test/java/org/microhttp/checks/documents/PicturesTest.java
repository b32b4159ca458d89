package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Every text of every picture can be read, light and dark: none is cut off, covered or too faint. */
@Tier.Gate
final class PicturesTest {

    /** Two texts in a box in a picture; the dark scheme has them white on black. */
    private static final String PICTURE = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
              <style>
                .paper, .box rect { fill: #ffffff; }
                .name { font-size: 12px; fill: #222222; }
                @media (prefers-color-scheme: dark) {
                  .paper, .box rect { fill: #000000; }
                  .name { fill: #eeeeee; }
                }
              </style>
              <rect class="paper" width="200" height="100"/>
              <g class="box">
                <rect x="20" y="20" width="70" height="60"/>
                <text class="name" x="30" y="40">loops</text>
                <text class="name" x="30" y="60">tasks</text>
              </g>
            </svg>
            """;

    static List<Path> pictures() throws IOException {
        try (Stream<Path> sources = Files.walk(Readme.ROOT.resolve("src"));
                Stream<Path> examples = Files.walk(Readme.ROOT.resolve("examples"))) {
            return Stream.concat(sources, examples).map(Readme.ROOT::relativize)
                    .filter(file -> file.toString().endsWith(".svg") && !file.toString().contains("/target/"))
                    .sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pictures")
    void everyTextCanBeRead(Path picture) {
        Set<String> faults = new Picture(Readme.read(Readme.ROOT.resolve(picture))).faults();
        assertTrue(faults.isEmpty(), () -> picture + " has texts that cannot be read:\n"
                + String.join("\n", faults));
    }

    @Test
    void aPictureWithRoomIsAccepted() {
        assertEquals(Set.of(), new Picture(PICTURE).faults());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x="30" y="60"    | x="70" y="60"                    | tasks: leaves its rectangle
            x="30" y="60"    | x="30" y="79"                    | tasks: leaves its rectangle
            x="30" y="60"    | x="22" y="60" text-anchor="end"  | tasks: leaves its rectangle
            x="30" y="60"    | x="120" y="60"                   | tasks: leaves its rectangle
            x="30" y="60"    | x="30" y="50"                    | tasks: overlaps loops
            >tasks<          | >all the tasks<                  | all the tasks: leaves its rectangle
            12px; fill: #222222 | 12px; fill: #888888           | loops: too faint when light
            .name { fill: #eeeeee; } | .other { fill: #eeeeee; }| loops: too faint when dark
            viewBox="0 0 200 100" | viewBox="0 0 60 100"        | loops: leaves the picture
            """)
    void aTextThatCannotBeReadIsNamed(String part, String other, String fault) {
        Set<String> faults = new Picture(PICTURE.replace(part, other)).faults();
        assertTrue(faults.contains(fault), faults::toString);
    }

    /** They would be measured where they are not. */
    @ParameterizedTest
    @ValueSource(strings = {"<tspan>tasks</tspan>", "<g transform=\"scale(2)\"/>"})
    void aTextThatCannotBeMeasuredIsRefused(String svg) {
        assertThrows(IllegalArgumentException.class, () -> new Picture(PICTURE.replace("tasks", svg)));
    }
}
