package sitearchive.serving;

import files.FileVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/**
 * A file that answers are made of: looks whether somebody writes into it, but not for each request. What has
 * another name by now, or none, is no longer looked at. For any thread.
 */
final class UnchangedFile {

    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    private final Path file;

    /** What was checked. */
    private volatile FileVersion version;
    private volatile long looked = System.nanoTime() - LOOK_NANOS;
    private volatile boolean changed;
    private volatile boolean named = true;

    UnchangedFile(Path file, FileVersion version) {
        this.file = file;
        this.version = version;
    }

    /** {@return false if it was written to since it was checked; that may be seen a millisecond later} */
    boolean isUnchanged() {
        long now = System.nanoTime();
        if (named && now - looked >= LOOK_NANOS) {
            looked = now;
            look();
        }
        return !changed;
    }

    private void look() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            named = version.key().equals(now.fileKey());
            changed = named ? !version.matches(now) : changed;
        } catch (IOException e) {
            named = false;
        }
    }

    /** Has looked at all of it again. */
    void accept(FileVersion checked) {
        version = checked;
        changed = false;
        named = true;
    }

    FileVersion version() {
        return version;
    }
}
