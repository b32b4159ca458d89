package org.microhttp.extras.accesslog;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Tier;

/** The file of the access log, and what may happen to it meanwhile. */
@Tier.Gate
final class LogFileTest {

    @TempDir
    private Path folder;
    private Path path;

    @BeforeEach
    void nameIt() {
        path = folder.resolve("access.log");
    }

    private static void write(LogFile file, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(US_ASCII));
        assertEquals(text.length(), file.write(bytes));
        assertFalse(bytes.hasRemaining());
    }

    @Test
    void isAppendedTo() throws IOException {
        Files.writeString(path, "0\n");
        try (var file = new LogFile(path)) {
            write(file, "1\n");
            write(file, "2\n");
        }
        try (var file = new LogFile(path)) {
            write(file, "3\n");
        }
        assertEquals("0\n1\n2\n3\n", Files.readString(path));
    }

    /** As logrotate does, which makes the new file itself or leaves that to the program. */
    @Test
    void aFileThatIsRenamedOrRemovedIsOpenedAnew() throws IOException {
        Object key = Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        assumeTrue(key != null, "files are not told apart here");
        try (var file = new LogFile(path)) {
            write(file, "1\n");
            Files.move(path, folder.resolve("access.log.1"));
            write(file, "2\n");
            Files.move(path, folder.resolve("access.log.2"));
            Files.createFile(path);
            write(file, "3\n");
            Files.delete(path);
            write(file, "4\n");
            write(file, "5\n");
        }
        assertEquals("1\n", Files.readString(folder.resolve("access.log.1")));
        assertEquals("2\n", Files.readString(folder.resolve("access.log.2")));
        assertEquals("4\n5\n", Files.readString(path));
    }

    /** The other way of logrotate, {@code copytruncate}. */
    @Test
    void aFileThatIsEmptiedIsWrittenFromItsBeginning() throws IOException {
        try (var file = new LogFile(path)) {
            write(file, "1\n");
            Files.writeString(path, "");
            write(file, "2\n");
        }
        assertEquals("2\n", Files.readString(path));
    }

    @Test
    void aFolderThatIsGoneForAWhile() throws IOException {
        Path inside = Files.createDirectory(folder.resolve("logs"));
        Path log = inside.resolve("access.log");
        try (var file = new LogFile(log)) {
            write(file, "1\n");
            Files.move(inside, folder.resolve("moved"));
            for (String line : new String[] {"2\n", "3\n"}) {
                var failure = assertThrows(FileSystemException.class, () -> write(file, line));
                assertEquals(log + ": there is no such folder", failure.getMessage());
            }
            Files.createDirectory(inside);
            write(file, "4\n");
        }
        assertEquals("4\n", Files.readString(log));
        assertEquals("1\n", Files.readString(folder.resolve("moved/access.log")));
    }

    @Test
    void aWriteAfterTheCloseIsRefused() throws IOException {
        var file = new LogFile(path);
        file.close();
        assertThrows(ClosedChannelException.class, () -> write(file, "1\n"));
        assertEquals("", Files.readString(path));
    }

    @Test
    void unopenableFileFailsAtOnce() throws IOException {
        assertThrows(IOException.class, () -> new LogFile(folder));
        assertThrows(NoSuchFileException.class, () -> new LogFile(folder.resolve("none/access.log")));
    }
}
