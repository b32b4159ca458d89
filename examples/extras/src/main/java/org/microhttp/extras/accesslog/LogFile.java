package org.microhttp.extras.accesslog;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that is appended to and may be rotated: before each write it is looked at whether its name still
 * belongs to the file that is open, and if not, because it was renamed or removed, one of that name is opened
 * anew. So {@code logrotate} needs no signal, and a write is never split between two files. It costs a look
 * at the file for each write. Where the file system does not tell files apart (on Windows, where one that is
 * open cannot be renamed either) the file stays the one it was.
 */
public final class LogFile implements WritableByteChannel {

    private static final Object NO_FILE = new Object();
    private static final Object UNKNOWN = new Object();

    private final Path path;
    private FileChannel channel;

    /** What tells the open file from others, as device and inode. */
    private Object identity;

    /**
     * Opens the file, and makes it if there is none.
     *
     * @param path where it is, and is made anew
     * @throws java.io.IOException if it cannot be opened
     */
    public LogFile(Path path) throws IOException {
        this.path = path;
        open();
    }

    private void open() throws IOException {
        while (channel == null) {
            Object before = identity();
            channel = FileChannel.open(path, CREATE, APPEND);
            identity = identity();
            // else it was renamed just now, or has just been made: which of the two is open is not known
            if (!identity.equals(before) || identity == NO_FILE) {
                close();
            }
        }
    }

    private Object identity() throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? UNKNOWN : key;
        } catch (NoSuchFileException e) {
            return NO_FILE;
        }
    }

    /**
     * Writes all of it, or nothing where the file can be cut off again, as it can when a disk is full.
     *
     * @throws FileSystemException with the path, and what is wrong with it
     */
    @Override
    public int write(ByteBuffer lines) throws IOException {
        try {
            return writeAll(lines);
        } catch (IOException e) {
            var failure = new FileSystemException(path.toString(), null, reason(e));
            failure.initCause(e);
            throw failure;
        }
    }

    /** Some exceptions say it by their class alone. */
    private static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        return failure instanceof FileSystemException e ? e.getReason() : failure.getMessage();
    }

    private int writeAll(ByteBuffer lines) throws IOException {
        if (channel == null || !identity().equals(identity)) {
            close();
            open();
        }
        int length = lines.remaining();
        long end = channel.size();
        try {
            while (lines.hasRemaining()) {
                channel.write(lines);
            }
        } catch (IOException e) {
            takeBack(end, length - lines.remaining());
            throw e;
        }
        return length;
    }

    /** Cuts off what was written in part, unless someone else has written behind it. */
    private void takeBack(long end, int count) {
        try {
            if (count > 0 && channel.size() == end + count) {
                channel.truncate(end);
            }
        } catch (IOException e) {
            // the part of a line stays; the cause is told by the write
            return;
        }
    }

    @Override
    public boolean isOpen() {
        return channel != null;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            FileChannel open = channel;
            channel = null;
            open.close();
        }
    }
}
