package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;

import java.io.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.testing.ToolRun;

/** What a tool says when it cannot have a file or a folder: which one, and what is wrong with it. */
@Tier.Program
final class FailureMessagesTest {

    private static final Pattern CLASS = Pattern.compile("\\b[a-z]+(\\.[a-z]+)+\\.[A-Z]\\w*");

    /** Words for what can be wrong; those of the system among them. */
    private static final Pattern WRONG = Pattern.compile("there is no such (file|folder)|it is no folder"
            + "|allowed: |permission denied|not a regular file|not empty|Not a directory|Is a directory"
            + "|No such file|Too many levels of symbolic links|File name too long|links lead in a circle"
            + "|Invalid argument|already|too long");

    private static final String FILE = "a file";

    /** Command lines that end, whatever is in the place of FILE below. */
    private static final List<String> LINES = List.of(
            "FileServer -p 0 --root FILE",
            "FileServer -p 0 --root FOLDER --mime-types FILE",
            "FileServer -p 0 --root FOLDER --log FILE",
            "FileServer compress --cache FOLDER --root FILE",
            "FileServer compress --root FOLDER --cache FILE",
            "FileServer compress --root FOLDER --cache OTHER --mime-types FILE",
            "AccessLog -p 0 --log-file FILE",
            "EdgeServer --unix-socket FILE",
            "SiteArchive archive --archive ARCHIVE --sources FILE",
            "SiteArchive archive --sources FOLDER --archive FILE",
            "SiteArchive archive --sources FOLDER --archive ARCHIVE --headers FILE",
            "SiteArchive archive --sources FOLDER --archive ARCHIVE --mime-types FILE",
            "SiteArchive serve -p 0 --archive FILE",
            "SiteArchive serve -p 0 --archives FILE",
            "SiteArchive serve -p 0 --dummy --log FILE");

    @TempDir
    private Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.writeString(folder.resolve(FILE), "text");
        Files.writeString(Files.createDirectory(folder.resolve("full")).resolve("x.txt"), "text");
        Files.createSymbolicLink(folder.resolve("circle"), Path.of("circle"));
    }

    /** Names below the folder that nothing can be had of, or made of. */
    private List<String> names() {
        return List.of("none/x", FILE + "/x", "circle/x", "x".repeat(300), "full");
    }

    private String[] words(String line, String name) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ")) {
            words.add(switch (word) {
                case "FILE" -> folder.resolve(name).toString();
                case "FOLDER" -> folder.resolve("full").toString();
                case "OTHER" -> folder.resolve("other").toString();
                case "ARCHIVE" -> folder.resolve("site.cdb").toString();
                default -> word;
            });
        }
        return words.toArray(String[]::new);
    }

    /** Some ask for a folder, and that of the cache is made; else each name is wrong for each flag. */
    private static boolean fits(String line, String name) {
        boolean folder = line.matches(".*(--root|--sources|--archives) FILE");
        return name.equals("full") && folder || name.equals("none/x") && line.endsWith("--cache FILE");
    }

    @Test
    void messageNamesThePathAndTheFault() {
        List<String> faults = new ArrayList<>();
        for (String line : LINES) {
            for (String name : names()) {
                if (!fits(line, name)) {
                    String fault = fault(words(line, name), folder.resolve(name).toString());
                    faults.addAll(fault == null ? List.of() : List.of(line + ", " + name + ": " + fault));
                }
            }
        }
        assertEquals("", String.join("\n", faults));
    }

    private static String fault(String[] words, String path) {
        ToolRun run = ToolRun.of(words[0], List.of(words).subList(1, words.length).toArray(String[]::new));
        String said = run.errors();
        String rest = said.replace(path, "");
        boolean named = CLASS.matcher(rest).find();
        boolean good = run.code() != 0 && said.contains(path) && WRONG.matcher(rest).find() && !named
                && said.lines().count() == 1;
        return good ? null : run.code() + ", " + said;
    }

    @Test
    void exceptionsBecomeWords() {
        String path = "/a/b c";
        List<Exception> all = List.of(new NoSuchFileException(path), new AccessDeniedException(path),
                new FileAlreadyExistsException(path), new DirectoryNotEmptyException(path),
                new NotDirectoryException(path), new NotLinkException(path),
                new FileSystemLoopException(path),
                new FileSystemException(path, null, "No space left on device"),
                new UncheckedIOException(new NoSuchFileException(path)),
                new DirectoryIteratorException(new AccessDeniedException(path)));
        for (Exception failure : all) {
            String said = InputFile.failure(failure);
            assertTrue(said.matches(path + ": [a-zA-Z]+( [a-zA-Z]+)+"), said);
            assertEquals(said, path + ": " + InputFile.failure(Path.of("b c"), failure));
            assertEquals(said, InputFile.failure(Path.of("b"), failure));
        }
        for (Exception failure : List.of(new ClosedByInterruptException(), new AsynchronousCloseException(),
                new ClosedChannelException(), new EOFException(), new IOException((String) null))) {
            assertTrue(InputFile.failure(failure).startsWith("it "), InputFile.failure(failure));
        }
        Exception fault = new NullPointerException("text");
        assertNotEquals("text", InputFile.failure(fault));
    }
}
