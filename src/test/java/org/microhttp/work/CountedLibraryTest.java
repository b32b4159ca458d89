package org.microhttp.work;

import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.Header;
import org.microhttp.testing.Mutation;
import org.microhttp.testing.SourceText;

/** What counts is in every loop and method, and around every call of the JDK that may go over many things. */
class CountedLibraryTest {

    private static final Pattern LOOP = Pattern.compile("\\b(?:for|while) \\(");
    private static final String HEAD =
            "package org.microhttp; import java.util.*; import java.util.regex.*; class A { ";

    /** The class with what counts, in short: {@code #;} for a step and {@code #(...)} for a length. */
    private static String counted(String source) {
        String text = new CountingCompiler(Map.of("A", HEAD + source + " }")).texts().get(0);
        String prefix = Work.class.getName() + ".";
        return text.substring(HEAD.length(), text.length() - 2).replace(prefix + "step()", "#")
                .replace(prefix + "of(", "#(").replace(prefix + "looked(", "#looked(");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            int a() { return 1; }                  | int a() {#; return 1; }
            void a(int n) { while (n > 0) n--; }   | void a(int n) {#; while (n > 0) { #;n--;} }
            void a(int n) { do { } while (n > 0); } | void a(int n) {#; do {#; } while (n > 0); }
            void a() { for (;;) { "}".length(); } } | void a() {#; for (;;) {#; "}".length(); } }
            void a(int[] b) { for (int c : b); }   | void a(int[] b) {#; for (int c : b){ #;;} }
            Runnable a = () -> { };                | Runnable a = () -> {#; };
            record B(int c) { B { } }              | record B(int c) { B {#; } }
            A() { this(1); } A(int n) { super(); } | A() { this(1);#; } A(int n) { super();#; }
            byte[] a = new byte[9];                | byte[] a = #(new byte[9]);
            Object a(String b) { return b.trim(); } | Object a(String b) {#; return #(#(b).trim()); }
            int a(String b) { return b.length(); } | int a(String b) {#; return b.length(); }
            int[] a = Arrays.copyOf(new int[1], 2); | int[] a = #(Arrays.copyOf(#(new int[1]), 2));
            int[] a(int[] b) { return b.clone(); } | int[] a(int[] b) {#; return #(#(b).clone()); }
            String a(String b) { return b + 1 + b; } | String a(String b) {#; return #(b + 1 + b); }
            void a(String b) { b += 1; }           | void a(String b) {#; #(b += 1); }
            final String c = "a" + 1, a = c + 1;   | final String c = "a" + 1, a = c + 1;
            void a(List<A> b) { b.sort(null); }    | void a(List<A> b) {#; #(b).sort(null); }
            """)
    void countsWhatTakesTime(String source, String expected) {
        assertEquals(expected, counted(source));
    }

    @Test
    void countsWhatARegularExpressionLooksAt() {
        String text = counted("boolean a(String b) { return Pattern.compile(\"\").matcher(b).find(); }");
        assertTrue(text.contains(".matcher(#looked(b)).find()"), text);
    }

    /** Said by the compiler's tree, and by the text. */
    @Test
    void everyLoopOfTheLibraryIsCounted() {
        long expected = CountedLibrary.sources().values().stream()
                .map(SourceText::withoutText)
                .mapToLong(source -> LOOP.matcher(source).results().count()).sum();
        assertTrue(expected > 40);
        assertEquals(expected, CountedLibrary.compiler().loops());
        // once for each pattern, whoever sends what
        assertEquals(List.of("Pattern::compile"), CountedLibrary.compiler().uncounted());
    }

    @Test
    void whatCannotBeCompiledFails() {
        var library = CountedLibrary.get();
        assertThrows(IllegalStateException.class,
                () -> library.with(Mutation.parse("ByteQueue.discard return => null")));
    }

    /** Uses the library in a way that has a known number of steps. */
    static final class ComparingNames implements IntConsumer {

        @Override
        public void accept(int times) {
            for (int i = 0; i < times; i++) {
                new Header("Name", "value").hashCode();
            }
        }
    }

    @Test
    void aTwinUsesTheCountedLibraryAndOthersDoNot() {
        IntConsumer twin = CountedLibrary.get().twin(ComparingNames.class);
        long once = CountedLibrary.get().work(() -> twin.accept(1));
        assertTrue(once > 0);
        assertEquals(7 * once, CountedLibrary.get().work(() -> twin.accept(7)));
        assertEquals(0, CountedLibrary.get().work(() -> new ComparingNames().accept(7)));
        assertThrows(AssertionError.class, () -> CountedLibrary.get().work(() -> twin.accept(1 << 30)));
    }
}
