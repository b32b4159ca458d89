package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Tier;

/** What {@code TargetPath} makes of paths, whatever their names are. */
@Tier.Gate
final class TargetPathTest {

    @ParameterizedTest
    @CsvSource({"/, /", "/a/b, /a/b", "/a%20b/, /a b/", "/%41%2541, /A%41", "/caf%C3%A9, /caf\u00E9",
        "//a, //a", "/.a/../%2e, /.a/../."})
    void decodesOnce(String path, String key) {
        assertEquals(key, TargetPath.keyOf(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a%2Fb", "/%", "/%4", "/%zz", "/%FF", "/%C3", "a", "*", ""})
    void invalidPathsHaveNoKey(String path) {
        assertNull(TargetPath.keyOf(path));
    }
}
