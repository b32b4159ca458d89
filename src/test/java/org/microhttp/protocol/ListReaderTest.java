package org.microhttp.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which elements a list has; vectors.txt has the lists of tokens and parameters. */
class ListReaderTest {

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** As a regular expression finds them that goes from comma to comma. */
    @Test
    void elementsAreSplitAtCommas() {
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

    /** What stands after it in its array is none of it. */
    @Test
    void nothingBeyondItsEndIsRead() {
        assertFalse(new ListReader(bytes(" ,"), 0, 1).read(','));
        for (String text : List.of("a;b=\"c\"", "a;b=\"c")) {
            var cut = new ListReader(bytes(text), 0, 6);
            assertThrows(RefusalException.class, () -> new RequestFraming().addTransferEncoding(cut));
        }
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
