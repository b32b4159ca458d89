package org.microhttp.extras.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Identifies one version of a file. A write to the file, or its replacement by another, makes another
 * version. Where a file system has no Unix attributes, as on Windows, only length and time of modification
 * tell versions apart, and programs can set that time.
 *
 * @param key     tells files apart, by device and inode; null if the system has none
 * @param inode   0 where there is none
 * @param changed when content or attributes were last changed (ctime), which no program can set; without Unix
 *                attributes as {@code modified}
 */
public record FileVersion(
        Kind kind, Object key, long inode, long size, FileTime modified, FileTime changed) {

    public enum Kind { FILE, FOLDER, LINK, OTHER }

    private static final String UNIX = "unix";
    private static final String BASIC =
            "isRegularFile,isDirectory,isSymbolicLink,fileKey,size,lastModifiedTime";
    private static final String ATTRIBUTES = UNIX + ":ino,ctime," + BASIC;

    /** More than a tick of the clock from which file systems take their times. */
    public static final Duration TICK = Duration.ofMillis(20);

    /** Reads the version of a path; a link is not followed. */
    public static FileVersion of(Path path) throws IOException {
        return of(Files.readAttributes(path, attributes(path), LinkOption.NOFOLLOW_LINKS));
    }

    /** Reads the version of a path; links are followed. */
    public static FileVersion followed(Path path) throws IOException {
        return of(Files.readAttributes(path, attributes(path)));
    }

    private static String attributes(Path path) {
        return showsAllChanges(path) ? ATTRIBUTES : BASIC;
    }

    /** Whether versions of a path's file system show all changes, also those that keep length and time. */
    static boolean showsAllChanges(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains(UNIX);
    }

    private static FileVersion of(Map<String, Object> all) {
        var modified = (FileTime) all.get("lastModifiedTime");
        return new FileVersion(kind(all), all.get("fileKey"), (long) all.getOrDefault("ino", 0L),
                (long) all.get("size"), modified, (FileTime) all.getOrDefault("ctime", modified));
    }

    private static Kind kind(Map<String, Object> all) {
        if ((boolean) all.get("isRegularFile")) {
            return Kind.FILE;
        }
        if ((boolean) all.get("isDirectory")) {
            return Kind.FOLDER;
        }
        return (boolean) all.get("isSymbolicLink") ? Kind.LINK : Kind.OTHER;
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }

    public boolean isFolder() {
        return kind == Kind.FOLDER;
    }

    /** Whether these are attributes of the same version, as far as they tell. */
    public boolean matches(BasicFileAttributes other) {
        return isFile() == other.isRegularFile() && isFolder() == other.isDirectory()
                && Objects.equals(key, other.fileKey()) && size == other.size()
                && modified.equals(other.lastModifiedTime());
    }

    /**
     * Whether a write from now on changes the file's time. If not, another content may get the same version.
     */
    public boolean isSettled() {
        return Duration.between(changed.toInstant(), Instant.now()).abs().compareTo(TICK) > 0;
    }

    /** {@return a hash that other versions do not have, and that does not reveal inode, size or times} */
    public long fingerprint() {
        long print = mix(inode) + size;
        print = mix(print) + modified.to(TimeUnit.NANOSECONDS);
        return mix(mix(print) + changed.to(TimeUnit.NANOSECONDS));
    }

    /** Each bit of the result depends on the whole argument, as in the last step of MurmurHash3. */
    public static long mix(long bits) {
        long mixed = (bits ^ bits >>> 33) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ mixed >>> 33;
    }
}
