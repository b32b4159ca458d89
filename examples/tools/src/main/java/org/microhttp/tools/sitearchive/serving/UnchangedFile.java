package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.microhttp.extras.filesystem.FileVersion;

/**
 * A file that answers are made of: looks whether somebody writes into it, but not for each request. What has
 * another name by now, or none, is no longer looked at. For any thread.
 */
final class UnchangedFile {

    static final String CHANGED = "it was changed in place";

    private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

    /** What changes the time of the last change, and no byte of the file. */
    private static final String OUTSIDE = "unix:nlink,mode,uid,gid";

    private final Path file;

    /** What was checked. */
    private volatile FileVersion version;
    private volatile Map<String, Object> outside;
    private volatile long looked = System.nanoTime() - LOOK_NANOS;
    private volatile boolean changed;

    /** Whether other names or rights, which are known by now, may hide a write. */
    private volatile boolean doubtful;
    private volatile boolean named = true;

    UnchangedFile(Path file, FileVersion version) throws IOException {
        this.file = file;
        this.version = version;
        outside = outside(version);
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

    /**
     * Looks now.
     *
     * @return whether it has got other names or rights, which may hide a write, and was not looked at since
     */
    boolean requireUnchanged() throws IOException {
        if (named) {
            look();
        }
        if (changed) {
            throw new IOException(CHANGED);
        }
        return named && doubtful;
    }

    /** Those of a version; none if there is another by now, so that the next look finds them changed. */
    private Map<String, Object> outside(FileVersion at) throws IOException {
        Map<String, Object> now = Files.readAttributes(file, OUTSIDE);
        return FileVersion.followed(file).equals(at) ? now : Map.of();
    }

    /** One thread at a time: another must not compare what it read before with what this one has found. */
    private synchronized void look() {
        try {
            compare(FileVersion.followed(file));
        } catch (IOException e) {
            named = false;
        }
    }

    private void compare(FileVersion now) throws IOException {
        named = version.key().equals(now.key());
        changed |= named && isChanged(now);
    }

    /**
     * Whether somebody may have written to it. Its time of modification can be set, that of its last change
     * cannot; but that is another, too, when only a second name or other rights are given to it.
     */
    private boolean isChanged(FileVersion now) throws IOException {
        FileVersion before = version;
        if (now.equals(before)) {
            return false;
        }
        Map<String, Object> outsideNow = Files.readAttributes(file, OUTSIDE);
        FileVersion after = FileVersion.followed(file);
        if (!after.equals(now)) {
            // the two looks are not of the same moment; by the second, another file may have the name
            compare(after);
            return changed;
        }
        boolean sameInside = now.size() == before.size() && now.modified().equals(before.modified());
        if (!sameInside || outsideNow.equals(outside)) {
            return true;
        }
        outside = outsideNow;
        version = now;
        doubtful = true;
        return false;
    }

    /** Has looked at all of it again. */
    synchronized void accept(FileVersion checked) throws IOException {
        outside = outside(checked);
        version = checked;
        changed = false;
        doubtful = false;
        named = true;
    }

    FileVersion version() {
        return version;
    }
}
