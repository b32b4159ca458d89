package org.microhttp.extras.accesslog;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that is appended to and may be rotated. Each write first checks whether the path still leads to the
 * open file. If not, because the file was renamed or removed, a new file is opened at the path. So {@code
 * logrotate} needs no signal, and a write is never split between two files. This costs a look at the file per
 * write. If the file system does not tell files apart (on Windows, where an open file cannot be renamed
 * either), the same file stays open. For one thread at a time.
 */
public final class LogFile implements WritableByteChannel {

    private static final Object NO_FILE = new Object();
    private static final Object UNKNOWN = new Object();

    private final Path path;
    private boolean closed;

    /** Null after an open that has failed; the next write tries again. */
    private FileChannel channel;

    /** What tells the open file from others, such as device and inode. */
    private Object identity;

    /**
     * Opens the file, and makes it if there is none.
     *
     * @param path where the file is, and is made anew
     * @throws java.io.IOException if the file cannot be opened
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
            // the file was renamed or made just now: which file is open is unknown, so open it again
            if (!identity.equals(before) || identity == NO_FILE) {
                closeChannel();
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
     * Writes all lines. If that fails, as on a full disk, cuts a written part off again if possible.
     *
     * @throws ClosedChannelException after {@link #close}
     * @throws FileSystemException    with the path, and what is wrong with it
     */
    @Override
    public int write(ByteBuffer lines) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        try {
            return writeAll(lines);
        } catch (IOException e) {
            var failure = new FileSystemException(path.toString(), null, reason(e));
            failure.initCause(e);
            throw failure;
        }
    }

    /** Some exceptions give their reason only by their class. */
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
            closeChannel();
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

    /** Cuts off what was written in part, unless another process has written after it. */
    private void takeBack(long end, int count) {
        try {
            if (count > 0 && channel.size() == end + count) {
                channel.truncate(end);
            }
        } catch (IOException e) {
            // the part stays; the write throws the cause
            return;
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        closeChannel();
    }

    private void closeChannel() throws IOException {
        if (channel != null) {
            FileChannel open = channel;
            channel = null;
            open.close();
        }
    }
}
