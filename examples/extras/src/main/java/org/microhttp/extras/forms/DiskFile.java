package org.microhttp.extras.forms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Flow;

/**
 * Writes one file of a form to a folder, under a name that nobody can guess. {@link #close} deletes the file
 * if it is still there. For one thread at a time; blocks while it writes.
 */
final class DiskFile implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {

    /** The beginning of each name; nothing else in the folder has such a name. */
    static final String PREFIX = ".form-";

    final Path path;

    /** Null if the file was not made. */
    private FileChannel channel;

    DiskFile(Path folder) {
        path = folder.resolve(PREFIX + UUID.randomUUID());
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        try {
            channel = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    ownerOnly());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        subscription.request(Long.MAX_VALUE);
    }

    /** The rights of a new file; none if the file system has no POSIX rights. */
    private FileAttribute<?>[] ownerOnly() {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        } : new FileAttribute<?>[0];
    }

    @Override
    public void onNext(List<ByteBuffer> content) {
        try {
            for (ByteBuffer buffer : content) {
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void onComplete() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does nothing: {@link #close} follows. */
    @Override
    public void onError(Throwable cause) {
    }

    @Override
    public void close() throws IOException {
        if (channel == null) {
            return;
        }
        try {
            channel.close();
        } finally {
            Files.deleteIfExists(path);
        }
    }
}
