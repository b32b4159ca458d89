package org.microhttp.faults.tools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.*;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.microhttp.*;
import org.microhttp.testing.MemoryFile;

/** An answer that fails, or whose body does, and what it would have been. */
public final class FailingAnswer {

    /** How it fails. */
    public enum Kind {

        CLOSED_BEFORE, CLOSED_WHEN_GIVEN, CUT_BEFORE, WRITE_ONLY, EXCEPTION, ERROR,
        CLOSED_WHILE_SENT, CUT_WHEN_GIVEN, CUT_WHILE_SENT,
        MAPPED_CUT_BEFORE, MAPPED_CUT_WHEN_GIVEN, MAPPED_CUT_WHILE_SENT,
        MAPPED_SIGNALLED_CUT_BEFORE, MAPPED_SIGNALLED_CUT_WHEN_GIVEN, MAPPED_SIGNALLED_CUT_WHILE_SENT,
        RELEASE_THROWS, NULL, HANDLER_THROWS;

        /** Whether it is the body that fails, which ends the connection. */
        public boolean isOfBody() {
            return compareTo(RELEASE_THROWS) < 0;
        }

        /** Whether not even the first byte of the body can be read, so that the client gets a 500. */
        public boolean isOfFirstByte() {
            return compareTo(ERROR) <= 0;
        }

        private boolean isCutBefore() {
            return name().endsWith("CUT_BEFORE");
        }

        private boolean isCutWhenGiven() {
            return name().endsWith("CUT_WHEN_GIVEN");
        }

        /** Whether some of the answer may have been sent when it fails. */
        public boolean isInTheMiddle() {
            return isOfBody() && !isOfFirstByte();
        }

        /** Whether it fails only when some of it has been sent. */
        public boolean isWhileSent() {
            return name().endsWith("WHILE_SENT");
        }

        /** Whether the handler gives a response, which is released then. */
        public boolean isGiven() {
            return this != NULL && this != HANDLER_THROWS;
        }
    }

    /** A file of its own that throws when it is read. */
    private static final class ThrowingFile extends MemoryFile {

        private final Kind kind;

        private ThrowingFile(Kind kind) {
            this.kind = kind;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            if (kind == Kind.ERROR) throw new InternalError("mine");
            throw new IllegalStateException("mine");
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new IllegalStateException("mine");
        }

        @Override
        public long size() {
            return Long.MAX_VALUE;
        }

        @Override
        protected void implCloseChannel() {
        }
    }

    private static final int MAX_PAGE = 64 * 1024;

    private final Kind kind;
    private final byte[] content;
    private final FileChannel file;
    private final ByteBuffer mapped;
    private final AtomicInteger released;

    /** @param released counts what is released; not with a kind that gives no response */
    public FailingAnswer(Kind kind, byte[] content, Path folder, AtomicInteger released) throws IOException {
        this.kind = kind;
        this.content = content;
        this.released = released;
        Path path = Files.write(Files.createTempFile(folder, "body", null), content);
        file = kind == Kind.WRITE_ONLY ? FileChannel.open(path, StandardOpenOption.WRITE)
                : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        mapped = isMapped() ? file.map(FileChannel.MapMode.READ_ONLY, 0, content.length) : null;
    }

    private boolean isMapped() {
        return kind.name().startsWith("MAPPED");
    }

    /** Answers, by whatever thread. */
    public void give(Consumer<Response> callback) {
        if (kind == Kind.HANDLER_THROWS) throw new IllegalStateException("mine");
        try {
            Response response = kind == Kind.NULL ? null : response();
            if (kind == Kind.CLOSED_BEFORE) file.close();
            if (kind.isCutBefore()) file.truncate(0);
            callback.accept(response);
            if (kind == Kind.CLOSED_WHEN_GIVEN) file.close();
            if (kind.isCutWhenGiven()) cut();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Response response() {
        Body body = switch (kind) {
            case EXCEPTION, ERROR -> Body.of(new ThrowingFile(kind), 0, content.length);
            case MAPPED_CUT_BEFORE, MAPPED_CUT_WHEN_GIVEN, MAPPED_CUT_WHILE_SENT -> Body.of(mapped);
            case MAPPED_SIGNALLED_CUT_BEFORE, MAPPED_SIGNALLED_CUT_WHEN_GIVEN,
                MAPPED_SIGNALLED_CUT_WHILE_SENT -> Body.of(new OneBuffer(mapped), content.length);
            default -> Body.of(file, 0, content.length);
        };
        return new Response(200, "OK", List.of(), body.onReleased(() -> {
            released.incrementAndGet();
            if (kind == Kind.RELEASE_THROWS) throw new IllegalStateException("mine");
        }));
    }

    /** What is mapped of the page in which a file ends is there still, and reads as zeros. */
    private void cut() throws IOException {
        int left = content.length / 2;
        file.truncate(isMapped() ? left - left % MAX_PAGE : left);
    }

    /** Fails, when some of it has been sent. */
    public void failLate() throws IOException {
        if (kind == Kind.CLOSED_WHILE_SENT) {
            file.close();
        } else if (kind.isWhileSent()) {
            cut();
        }
    }

    public void close() throws IOException {
        file.close();
    }
}
