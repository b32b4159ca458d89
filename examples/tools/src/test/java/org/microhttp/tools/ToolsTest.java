package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first argument is the name of a tool, and the tool is given the others. */
final class ToolsTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... args) {
        return Tools.run(new PrintStream(out), new PrintStream(err), args);
    }

    @ParameterizedTest
    @CsvSource({"respond, ResponseServer", "files, FileServer", "archive, SiteArchive",
        "access-log, AccessLog"})
    void aNameRunsItsTool(String name, String tool) {
        assertEquals(0, run(name, "--version"));
        assertTrue(out.toString().startsWith(tool + " of microhttp "), out.toString());
        assertEquals(2, run(name, "--no-such-flag"));
        assertTrue(err.toString().startsWith(tool + ": "), err.toString());
        assertEquals(0, run("--help"));
        assertEquals(1, lists(out.toString(), name), "a line for each tool");
    }

    @Test
    void withoutANameItListsTheTools() {
        assertEquals(2, run());
        assertEquals(1, lists(err.toString(), "respond"));
        assertEquals("", out.toString());
    }

    /** Control characters would do something to a terminal. */
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "Respond", "", "\u001b[2J"})
    void anotherNameIsRefusedWithTheList(String name) {
        assertEquals(2, run(name, "--help"));
        assertEquals(1, lists(err.toString(), "respond"));
        assertFalse(err.toString().contains("\u001b"));
        assertEquals("", out.toString());
    }

    private static long lists(String text, String tool) {
        return text.lines().filter(line -> List.of(line.strip().split(" ")).get(0).equals(tool)).count();
    }
}
