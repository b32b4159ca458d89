package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which elements a list has; vectors.txt has the lists of tokens and parameters. */
class ListReaderTest {

    /** As a regular expression finds them that goes from comma to comma. */
    @Test
    void hasWhatIsBetweenCommas() {
        var random = new Random(1);
        var expression = Pattern.compile("(?i)(.*,)?[ \t]*ab/c[ \t]*(,.*)?");
        var pieces = List.of("ab/c", "AB/C", "ab/c", "ab", "/c", " ", "\t", ",", ",", "\"", ";", "_");
        int listed = 0;
        for (int i = 0; i < 20_000; i++) {
            var list = new StringBuilder();
            int count = random.nextInt(8);
            for (int j = 0; j < count; j++) {
                list.append(pieces.get(random.nextInt(pieces.size())));
            }
            boolean expected = expression.matcher(list).matches();
            assertEquals(expected, ListReader.has(list.toString(), "ab/c"), list::toString);
            listed += expected ? 1 : 0;
        }
        assertTrue(listed > 2000 && listed < 18_000, listed + " have it");
    }

    /** The bytes of the list are all that is made, whether it has one element or thousands. */
    @Test
    void makesNoObjectForAnElement() {
        String many = ",a".repeat(8000);
        String one = "a".repeat(many.length());
        assertFalse(ListReader.has(many, "b") || ListReader.has(one, "b"));
        long ofOne = allocated(one);
        long ofMany = allocated(many);
        assertTrue(ofMany <= ofOne + 1000, ofMany + " bytes for many elements, " + ofOne + " for one");
    }

    private static long allocated(String list) {
        var bean = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long before = bean.getCurrentThreadAllocatedBytes();
        ListReader.has(list, "b");
        return bean.getCurrentThreadAllocatedBytes() - before;
    }
}
