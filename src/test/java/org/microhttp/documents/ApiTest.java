package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/**
 * Nothing that programs can see of the library differs from the last release but what the changes tell of.
 * The comparison itself is tried with types and lists that are made up.
 */
@Tier.Gate
final class ApiTest {

    private static final List<String> BEFORE = List.of("public class A", "public A(int)",
            "public java.util.List<A> A.all(int, B...) throws java.io.IOException", "public interface B",
            "public abstract void B.take(java.util.function.Function<A, java.util.List<B>>)");

    private static List<String> with(String... lines) {
        var all = new ArrayList<>(BEFORE);
        Collections.addAll(all, lines);
        return all;
    }

    private static List<String> without(String line) {
        assertTrue(BEFORE.contains(line), line);
        return BEFORE.stream().filter(each -> !each.equals(line)).toList();
    }

    private static List<String> unnamed(List<String> now, String changes) {
        return new ApiDifference(BEFORE, now).unnamed(changes);
    }

    @Test
    void theListIsThatOfTheLastRelease() {
        assertEquals(ChangesPage.read().released(), ApiList.released().version(), "api.txt is what the last"
                + " release of changes.md promised. Write it as RELEASING.md says.");
    }

    @Test
    void whatDiffersFromTheLastReleaseIsNamedInTheChanges() throws Exception {
        ChangesPage.Section top = ChangesPage.read().top();
        var difference = new ApiDifference(ApiList.released().lines(), ApiList.present());
        assertEquals(List.of(), difference.unnamed(top.isPending() ? top.text() : ""),
                "Users read in src/main/java/org/microhttp/doc-files/changes.md what differs: name each, as"
                + " `Options.withFoo(int)`, in a pending section on top, such as ## 1.1.0 (pending)");
    }

    @Test
    void theNextVersionSaysWhetherProgramsBreak() throws Exception {
        ChangesPage.Section top = ChangesPage.read().top();
        ApiList released = ApiList.released();
        var difference = new ApiDifference(released.lines(), ApiList.present());
        String least = difference.leastVersion(released.version());
        boolean isNext = !top.version().equals(released.version());
        assertTrue(!isNext || ApiDifference.isAtLeast(top.version(), least), "What programs use has changed:"
                + " the version on top of changes.md must be at least " + least);
    }

    @Test
    void theListIsAsItWouldBeWritten() throws Exception {
        ApiList released = ApiList.released();
        List<String> sorted = released.lines().stream().distinct()
                .sorted((a, b) -> ApiList.nameOf(a).compareTo(ApiList.nameOf(b))).toList();
        assertEquals(sorted, released.lines());
        assertEquals(released.text(), Readme.read(ApiList.FILE));
        assertEquals(released, ApiList.parse(released.text()));
    }

    /** So that none is lost: the types that every program uses, and what their loggers inherit. */
    @Test
    void theLibrarysListHasWhatProgramsUse() throws Exception {
        List<String> names = ApiList.present().stream().map(ApiList::nameOf).toList();
        for (String name : List.of("EventLoop(Options, Logger, Handler)", "EventLoop.start()", "Header",
                "Header.value()", "Options.withPort(int)", "Handler.handle(Request, Consumer)",
                "DebugLogger.log(LogEntry...)", "DebugLogger.log(Exception, LogEntry...)")) {
            assertTrue(names.contains(name), name + " in " + names);
        }
        assertTrue(names.stream().noneMatch(name -> name.startsWith("EventLog.")), names::toString);
        assertTrue(ApiList.present().contains("@FunctionalInterface public interface Handler"));
    }

    /** What may stand in a list, in one type. */
    @Deprecated
    public abstract static class Sample<T extends Number> extends Hidden implements AutoCloseable {
        public static final int LIMIT = 1;
        protected List<T> some;
        int own;

        protected Sample(int size) { own = size; }

        Sample() { }

        @Override
        public synchronized void close() throws IOException { }

        @Deprecated
        protected abstract <U extends Comparable<U>> U least(Function<T, List<? super U>> by, int... all);

        @Override public String toString() { return "" + own; }
    }

    /** What a type that programs can see inherits from one that they cannot. */
    abstract static class Hidden implements Runnable {
        Hidden() { }

        @Override public final void run() { }

        void own() { }
    }

    /** Its constructor and accessor are not written, but there. */
    public record Pair(int first, List<String> second) {
        public Pair(int first) { this(first, List.of()); }

        public boolean equals(int other) { return first == other; }
    }

    @Test
    void everyKindIsListedAsItIsDeclared() {
        String sample = "documents.ApiTest.Sample";
        assertEquals(List.of(
                "@Deprecated public abstract static class org.microhttp." + sample + "<T extends Number>"
                        + " implements AutoCloseable, Runnable",
                "protected org.microhttp." + sample + "(int)",
                "public static final int org.microhttp." + sample + ".LIMIT",
                "public void org.microhttp." + sample + ".close() throws java.io.IOException",
                "@Deprecated protected abstract <U extends Comparable<U>> U org.microhttp." + sample
                        + ".least(java.util.function.Function<T, java.util.List<? super U>>, int...)",
                "public final void org.microhttp." + sample + ".run()",
                "protected java.util.List<T> org.microhttp." + sample + ".some"),
                ApiList.of(List.of(Sample.class)));
    }

    @Test
    void aRecordIsListedWithItsComponents() {
        String pair = "org.microhttp.documents.ApiTest.Pair";
        assertEquals(List.of("public record " + pair + "(int first, java.util.List<String> second)",
                "public " + pair + "(int)", "public boolean " + pair + ".equals(int)",
                "public int " + pair + ".first()", "public java.util.List<String> " + pair + ".second()"),
                ApiList.of(List.of(Pair.class)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "public class A                                                            | A",
        "@FunctionalInterface public interface B.C extends A                       | B.C",
        "public @interface D                                                       | D",
        "public sealed class E<T extends java.util.List<T>> permits A              | E",
        "public record Pair(int first, java.util.List<A> second)                   | Pair",
        "public A(int, java.util.Map<A, B>) throws java.io.IOException             | A(int, Map)",
        "public <T extends A> java.util.List<T> A.all(int, B...) throws E          | A.all(int, B...)",
        "public static final int A.LIMIT                                           | A.LIMIT",
    })
    void aLineIsNamedByWhatItDeclares(String line, String name) {
        assertEquals(name, ApiList.nameOf(line));
    }

    @Test
    void nothingThatIsTheSameHasToBeNamed() {
        assertEquals(List.of(), unnamed(BEFORE, ""));
        assertEquals(List.of("- " + BEFORE.get(1)), unnamed(without(BEFORE.get(1)), ""));
    }

    @Test
    void whatIsNewHasToBeNamedWithItsParameters() {
        String line = "public int A.foo(java.util.List<A>, B)";
        for (String other : List.of("", "A.foo(List, B)", "`A.foo`", "`foo(List, B)`", "`A`", "`A.foo(B)`")) {
            assertEquals(List.of("+ " + line), unnamed(with(line), other), other);
        }
        assertEquals(List.of(), unnamed(with(line), "- `A.foo(List, B)` tells how many."));
        assertEquals(List.of(), unnamed(with(line), "- How many tells `A.foo(List,\n  B)`."));
    }

    @Test
    void whatIsGoneOrOtherwiseHasToBeNamed() {
        String line = BEFORE.get(2);
        assertEquals(List.of("- " + line), unnamed(without(line), "`A`"));
        assertEquals(List.of(), unnamed(without(line), "`A.all(int, B...)`"));
        var otherwise = new ArrayList<>(BEFORE);
        otherwise.set(2, line.replaceFirst(" throws .*", ""));
        assertEquals(List.of("- " + line, "+ " + otherwise.get(2)), unnamed(otherwise, "`A.some()`"));
        assertEquals(List.of(), unnamed(otherwise, "`A.all(int, B...)`"));
    }

    @Test
    void aTypeThatIsNewOrGoneIsNamedAlone() {
        String[] type = {"public class C", "public C()", "public static final int C.LIMIT",
            "public class C.D"};
        assertEquals(4, unnamed(with(type), "`A`, `CD`").size());
        assertEquals(List.of(), unnamed(with(type), "`C`"));
        assertEquals(List.of(), new ApiDifference(with(type), BEFORE).unnamed("`C`"));
        String more = "public int A.LIMIT";
        assertEquals(List.of("+ " + more), unnamed(with(more), "`A`"));
    }

    @Test
    void aVersionSaysWhetherProgramsBreak() {
        assertEquals("1.2.4", new ApiDifference(BEFORE, BEFORE).leastVersion("1.2.3"));
        for (String harmless : List.of("public default void B.foo()", "public A()", "public abstract class C",
                "public abstract void C.foo()")) {
            List<String> now = with("public class C", harmless);
            assertEquals("1.3.0", new ApiDifference(BEFORE, now).leastVersion("1.2.3"), harmless);
        }
        for (List<String> now : List.of(with("public abstract void B.foo()"), without("public A(int)"))) {
            assertEquals("2.0.0", new ApiDifference(BEFORE, now).leastVersion("1.2.3"), now::toString);
        }
        var deprecated = new ArrayList<>(BEFORE);
        deprecated.set(1, "@Deprecated " + BEFORE.get(1));
        assertEquals("1.3.0", new ApiDifference(BEFORE, deprecated).leastVersion("1.2.3"));
        assertTrue(ApiDifference.isAtLeast("1.10.0", "1.9.1"));
        assertTrue(ApiDifference.isAtLeast("2.0.0", "2.0.0"));
        assertFalse(ApiDifference.isAtLeast("1.9.1", "1.10.0"));
    }

    /** A section that is dated is closed: after a release nothing may differ without a new one. */
    @Test
    void theChangesSayWhichReleaseWasTheLast() {
        ChangesPage first = ChangesPage.parse("# Changes\n\n## 1.0.0 (pending)\n\n- `A`\n");
        assertEquals("1.0.0", first.released());
        assertTrue(first.top().isPending() && first.top().text().contains("`A`"));
        ChangesPage dated = ChangesPage.parse("## 1.0.0 (2026-01-31)\n\n- `A`\n");
        assertEquals("1.0.0", dated.released());
        assertFalse(dated.top().isPending());
        ChangesPage next = ChangesPage.parse(
                "## 1.1.0 (pending)\n\n- `B`\n\n## 1.0.0 (2026-01-31)\n\n- `A`\n");
        assertEquals("1.0.0", next.released());
        assertEquals("\n\n- `B`\n\n", next.top().text());
    }

    @Test
    void aListWithoutAVersionIsNone() {
        assertThrows(IllegalArgumentException.class, () -> ApiList.parse("public class A\n"));
        assertThrows(IllegalArgumentException.class, () -> ApiList.nameOf("()"));
    }
}
