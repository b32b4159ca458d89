package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bodies that a test gives to callbacks, and which of them are not yet released. All are pieces of one text:
 * body N begins at byte N of it, so no two are the same, and thousands need no more memory than one. Each
 * body of a file has a channel of its own, which is closed when the body is released.
 */
final class GivenBodies {

    enum Kind { ARRAY, DIRECT, FILE }

    static final int LONGEST = 1 << 20;
    private static final int MOST = 128;
    private static final String TEXT = Bodies.text(LONGEST + MOST);
    private static final byte[] BYTES = TEXT.getBytes(ISO_8859_1);
    private static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(BYTES.length).put(BYTES);

    /** One that was given to a callback. */
    private static final class Given {

        private final int number, length;

        /** Null if it is in memory. */
        private final FileChannel file;
        private int released;

        Given(int number, int length, FileChannel file) {
            this.number = number;
            this.length = length;
            this.file = file;
        }

        int length() {
            return length;
        }

        boolean isHeld() {
            return released == 0;
        }

        private void release() {
            released++;
            closeFile();
        }

        private void closeFile() {
            try {
                if (file != null) file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String toString() {
            return "body " + number + " of " + length + " bytes, released " + released + " times";
        }
    }

    private final Path path;

    /** In the order in which they were given. */
    private final List<Given> all = new ArrayList<>();

    /** @param folder for the file that bodies are taken from */
    GivenBodies(Path folder) throws IOException {
        path = folder.resolve("bodies");
        if (Files.notExists(path)) Files.write(path, BYTES);
    }

    /** What a client gets as body N. */
    static String text(int number, int length) {
        return TEXT.substring(number, number + length);
    }

    /** Makes body N. The caller gives it to a callback, once. */
    Body give(Kind kind, int number, int length) {
        Given given = add(number, length, kind == Kind.FILE);
        Body body = switch (kind) {
            case ARRAY -> Body.of(ByteBuffer.wrap(BYTES, number, length));
            case DIRECT -> Body.of(DIRECT.duplicate().limit(number + length).position(number));
            case FILE -> Body.of(given.file, number, length);
        };
        return body.onReleased(given::release);
    }

    /** Makes body N of a file that is closed already, so that it cannot be sent. */
    Body giveClosedFile(int number, int length) {
        Given given = add(number, length, true);
        given.closeFile();
        return Body.of(given.file, number, length).onReleased(given::release);
    }

    private Given add(int number, int length, boolean inFile) {
        try {
            var given = new Given(number, length, inFile ? FileChannel.open(path) : null);
            all.add(given);
            return given;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many were given. */
    int count() {
        return all.size();
    }

    private Stream<Given> held() {
        return all.stream().filter(Given::isHeld);
    }

    /** The bytes of those that are not yet released. */
    long heldBytes() {
        return held().mapToLong(Given::length).sum();
    }

    /** The same without the largest of them in memory. Files count as nothing. */
    long heldBytesButTheLargest() {
        var lengths = held().filter(one -> one.file == null).mapToLong(Given::length).summaryStatistics();
        return lengths.getSum() - Math.max(0, lengths.getMax());
    }

    /** The length of the last one that was given, if it is not yet released; else 0. */
    long lastHeldBytes() {
        Given last = all.isEmpty() ? null : all.get(all.size() - 1);
        return last != null && last.isHeld() ? last.length : 0;
    }

    long openFiles() {
        return all.stream().filter(one -> one.file != null && one.file.isOpen()).count();
    }

    /** Those that were not released exactly once. */
    List<String> notReleasedOnce() {
        return all.stream().filter(one -> one.released != 1).map(Given::toString).toList();
    }
}
