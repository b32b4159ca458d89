package org.microhttp.compare;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Text that is the same on every machine for the same random numbers. */
final class SampleText {

    /** Lines as a page of documentation has them; what is in brackets is a word. */
    private static final List<String> LINES = List.of(
            "<div class=\"col-second even-row-color\"><code>[] []</code></div>\n",
            "<div class=\"col-last\"><div class=\"block\">[] [] [] [] [] [] [].</div></div>\n",
            "<li><a href=\"../[]/[].html\" class=\"member-name-link\">[]</a> [] []</li>\n",
            "<section class=\"detail\" id=\"[]()\"><h3>[]</h3>\n",
            "<dl class=\"notes\"><dt>Returns:</dt><dd>[] [] [] [] <code>[]</code> []</dd></dl>\n",
            "<p>[] [] [] [] [] [] [] [] [] [] [] [].</p>\n");

    private SampleText() { }

    /** Of the same words, some of them in markup, which compresses better. */
    static byte[] page(Random random, int size) {
        StringBuilder text = new StringBuilder(size + 256);
        while (text.length() < size) {
            String[] parts = LINES.get(random.nextInt(LINES.size())).split("\\[]", -1);
            text.append(parts[0]);
            for (int i = 1; i < parts.length; i++) text.append(word(number(random))).append(parts[i]);
        }
        return text.substring(0, size).getBytes(StandardCharsets.US_ASCII);
    }

    /** Of a few hundred words some are frequent, so that it compresses as text does. */
    static byte[] words(Random random, int size) {
        StringBuilder text = new StringBuilder(size + 16);
        while (text.length() < size) {
            int number = number(random);
            text.append(word(number)).append(number % 9 == 0 ? "\n" : " ");
        }
        return text.substring(0, size).getBytes(StandardCharsets.US_ASCII);
    }

    private static int number(Random random) { return (int) Math.abs(random.nextGaussian() * 300); }

    private static String word(int number) { return Integer.toString(number * 7919 + 1000, 36); }
}
