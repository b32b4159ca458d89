package org.microhttp.extras.filesystem;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.Tier;

/** What is below a root, where files are opened relative to folders, and where that cannot be. */
@Tier.Program
final class FileTreeTest {

    private static final String PUBLIC = "you may see";
    private static final String SECRET = "not for you";
    private static final int SWAPS = 50;

    /** Longer than a folder has to be unchanged before it is trusted where nothing is opened in it. */
    private static final long PAUSE_NANOS = 2 * FileVersion.TICK.toNanos();

    @TempDir
    private Path folder;

    private static String read(FileTree tree, FoundFile found) throws IOException {
        try (FileChannel channel = tree.open(found)) {
            if (channel == null) {
                return null;
            }
            var content = ByteBuffer.allocate(PUBLIC.length());
            channel.read(content);
            return new String(content.array());
        }
    }

    @Test
    void missingGuaranteesAreLoggedOnce() throws Exception {
        assertNull(new FileTree(folder, null).gaps());
        assertEquals("no SecureDirectoryStream for " + folder + ": only the times of folders show whether one"
                        + " was swapped for a link while a file was opened",
                new FileTree(folder, null, false).gaps());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noNameIsOfAnotherRoot(boolean relative) throws Exception {
        var tree = new FileTree(folder, null, relative);
        FileSite.settle(Files.writeString(folder.resolve("x"), PUBLIC));
        FileSite.settle(folder);
        assertEquals(PUBLIC, read(tree, tree.find("x")));
        for (String name : new String[] {folder + "/x", "/etc/passwd", "a\0b"}) {
            assertNull(tree.find(name), name);
        }
    }

    /** Where all changes of folders are told, looking before and after finds this swap, too. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void swappingAFolderForALinkLeaksNothing(boolean relative) throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectory(root.resolve("d"));
        Files.writeString(root.resolve("d/f"), PUBLIC);
        Files.writeString(outside.resolve("f"), SECRET);
        Files.writeString(outside.resolve("secret"), SECRET);
        Files.createSymbolicLink(folder.resolve("link"), outside);
        var ended = new AtomicBoolean();
        var swaps = new AtomicInteger();
        var swapping = new Thread(() -> {
            while (!ended.get()) {
                swap(root.resolve("d"), swaps);
            }
        });
        swapping.start();
        try {
            lookOften(new FileTree(root, null, relative), swaps);
        } finally {
            ended.set(true);
            swapping.join();
        }
    }

    private static void lookOften(FileTree tree, AtomicInteger swaps) throws IOException {
        int seen = 0;
        while (swaps.get() < SWAPS) {
            try {
                FoundFile found = tree.find("d/f");
                String text = found == null ? null : read(tree, found);
                assertNotEquals(SECRET, text);
                seen += text == null ? 0 : 1;
                FoundFile folder = tree.find("d");
                FolderList list = folder == null ? null : tree.list(folder);
                assertTrue(list == null
                        || list.items().stream().noneMatch(item -> item.name().equals("secret")));
            } catch (FileSystemException e) {
                // it was gone just then
                assertNotNull(e.getFile());
            }
        }
        assertTrue(seen > 0);
    }

    private void swap(Path place, AtomicInteger swaps) {
        try {
            Files.move(place, folder.resolve("aside"));
            Files.move(folder.resolve("link"), place);
            Files.move(place, folder.resolve("link"));
            Files.move(folder.resolve("aside"), place);
            swaps.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NANOS);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
