package org.microhttp.extras.uploads;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Receives the body of one request, and writes it to a file. Use it with {@link
 * org.microhttp.Handler#receiving}, which passes the upload to a handler.
 * <p>
 * The bytes go to a temporary file in the folder of the target; its name begins with {@code .upload-}. Only
 * the user of the process may read or write this file, where the file system has such rights; the target
 * keeps these rights. When the body is complete, the temporary file is moved to the target in one step, and
 * replaces an existing file, so that no reader sees a part. Of two uploads to one target, the last to
 * complete stays. In all other cases the temporary file is deleted; only a killed process, or a failed
 * deletion, leaves it. The folder must exist. The content is not forced to the disk before the response.
 * <p>
 * The executor writes one buffer after the other. The next is requested when the previous one is written, so
 * a client is as fast as the disk, and an upload has one buffer in memory.
 */
public final class FileUpload implements Flow.Subscriber<List<ByteBuffer>> {

    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** The target; null for an upload that receives nothing. */
    private final Path file;
    private final Path part;
    private final long maxSize;
    private final Executor executor;
    private final CompletableFuture<UploadResult> result = new CompletableFuture<>();
    private Flow.Subscription subscription;

    /** The steps on the file, one after the other; fails with the first that fails. */
    private CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

    // only these steps use the following fields
    private FileChannel channel;
    private long size;

    /**
     * Makes an upload to a file. If the request has a larger {@code Content-Length}, nothing is received.
     *
     * @param request  whose body is received
     * @param file     the target, where the complete body is; on the same file system as its folder
     * @param maxSize  the largest number of bytes, 0 or more
     * @param executor opens, writes, moves and deletes, for example {@link Handler#blockingExecutor}; must
     *                 accept every task, and have several threads if a disk may be slow. Shut down an
     *                 executor of your own after the server
     * @throws IllegalArgumentException if the size is negative
     * @throws NullPointerException     if an argument is null
     */
    public FileUpload(Request request, Path file, long maxSize, Executor executor) {
        if (maxSize < 0) {
            throw new IllegalArgumentException("maxSize is " + maxSize + "; allowed: 0 or more");
        }
        this.file = file;
        this.maxSize = maxSize;
        this.executor = Objects.requireNonNull(executor, "executor");
        part = file.resolveSibling(".upload-" + UUID.randomUUID());
        String length = request.header("Content-Length");
        // at most 18 digits, as the server has checked
        if (length != null && Long.parseLong(length) > maxSize) {
            result.complete(new UploadResult.TooLarge(maxSize));
        }
    }

    private FileUpload(Response response) {
        file = null;
        part = null;
        maxSize = 0;
        executor = Runnable::run;
        result.complete(new UploadResult.Refused(response));
    }

    /**
     * Makes an upload that receives nothing, for example for a client without a login. A client that sends
     * {@code Expect: 100-continue} then does not send the body.
     *
     * @param response the response of the result
     * @return an upload whose result is {@link UploadResult.Refused}
     * @throws NullPointerException if the response is null
     */
    public static FileUpload refused(Response response) {
        return new FileUpload(Objects.requireNonNull(response, "response"));
    }

    /**
     * Returns the result, which completes after the file is moved or deleted, and never exceptionally.
     * Dependent actions run on a thread of the executor, or on the caller's if the result is complete
     * already.
     *
     * @return the result
     */
    public CompletionStage<UploadResult> result() {
        return result.minimalCompletionStage();
    }

    private interface Step {

        void run() throws IOException;
    }

    /** Adds a step after the earlier ones. If it fails, nothing more is received. */
    private void then(Step step) {
        work = work.thenRunAsync(() -> {
            try {
                step.run();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        }, executor).whenComplete((done, failure) -> {
            if (failure != null) {
                subscription.cancel();
                discard(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (result.isDone()) {
            subscription.cancel();
            return;
        }
        then(() -> {
            channel = FileChannel.open(part, NEW, ownerOnly(part));
            subscription.request(1);
        });
    }

    /** Rights of a new file; empty where the file system has no such rights. */
    private static FileAttribute<?>[] ownerOnly(Path path) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        } : new FileAttribute<?>[0];
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        then(() -> {
            for (ByteBuffer buffer : buffers) {
                size += buffer.remaining();
                if (size > maxSize) {
                    throw new TooLargeException();
                }
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            subscription.request(1);
        });
    }

    /** The body is larger than allowed. */
    private static final class TooLargeException extends IOException {

        private static final long serialVersionUID = 1;
    }

    @Override
    public void onComplete() {
        then(() -> {
            channel.close();
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            result.complete(new UploadResult.Stored(file, size));
        });
    }

    /** The client has gone, or is too slow. */
    @Override
    public void onError(Throwable cause) {
        work = work.whenCompleteAsync((done, failure) -> discard(cause), task -> {
            try {
                executor.execute(task);
            } catch (RejectedExecutionException e) {
                // better a short wait for the disk on this thread than a file that stays
                task.run();
            }
        });
    }

    /** Deletes the temporary file, and completes the result; does nothing if the result is complete. */
    private void discard(Throwable cause) {
        if (result.isDone()) {
            return;
        }
        boolean tooLarge = cause instanceof TooLargeException;
        try {
            closeAndDelete();
        } catch (IOException | RuntimeException e) {
            cause.addSuppressed(e);
            tooLarge = false;
        }
        result.complete(tooLarge ? new UploadResult.TooLarge(maxSize) : new UploadResult.Failed(cause));
    }

    private void closeAndDelete() throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
