package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.Body;
import org.microhttp.tools.cdb.CdbBytes;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.cdb.CdbValue;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.BodyCheck;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/**
 * What is looked up in an archive: in memory, where that was asked for, else in its records. Whoever calls
 * has taken the archive. For any thread.
 */
final class ArchiveRecords {

    /** A part of the heap for what is searched, where the archive itself is not in memory. */
    private static final long MOST_SEARCHED = Runtime.getRuntime().maxMemory() / 8;

    /** A part of the heap for pages that are kept, of each of three kinds of records. */
    private static final long ROOM = Runtime.getRuntime().maxMemory() / 24;

    /** To read that much keeps the others of its loop waiting for a few hundredths of a second. */
    private static final int MOST_COMPARED = 16 << 20;
    private static final int PIECE = 1 << 16;

    /** No page takes more: as many variants as there can be, of which each is copied. */
    private static final int LARGEST_PAGE = 4 * (PageVariant.COPIED + 4 * PageVariant.OVERHEAD);

    private final ArchiveBytes bytes;
    private final UnchangedFile file;

    /** The same; what is searched is in memory, if there is room for it. */
    private final CdbBytes searched;
    private final CdbReader reader;
    private final ArchiveIndex index;
    private final ArchiveBytes.Kind kind;
    private final AddedFields added;

    /** How much more may be kept. Of a bounded number of pages all may. */
    private final AtomicLong room;

    /** @param contentsEnd where contents end: what is behind them leads to them */
    ArchiveRecords(ServeSettings settings, ArchiveBytes bytes, UnchangedFile file, long contentsEnd,
            ArchiveIndex index) throws IOException {
        this.bytes = bytes;
        this.file = file;
        this.index = index;
        searched = index.isComplete() ? bytes : bytes.withTail(contentsEnd, MOST_SEARCHED);
        reader = new CdbReader(searched);
        kind = settings.kind();
        added = new AddedFields(settings.added());
        room = new AtomicLong(index.isComplete() ? 3 * ROOM : Long.MAX_VALUE);
    }

    /** {@return those of every answer} */
    AddedFields added() {
        return added;
    }

    /** {@return null if there is none} */
    PathRecord path(char sort, String path) throws IOException {
        CdbValue value = reader.find(ArchiveFormat.key(sort, path));
        return value == null ? null : PathRecord.of(value(value));
    }

    Metadata metadata(String id) throws IOException {
        if (index.metadata != null) {
            return index.metadata.get(id);
        }
        return Metadata.of(value(find(ArchiveFormat.METADATA, id)));
    }

    /** {@return where a content is} */
    CdbValue content(String id) throws IOException {
        return index.contents != null ? index.contents.get(id) : find(ArchiveFormat.CONTENT, id);
    }

    private CdbValue find(char sort, String id) throws IOException {
        CdbValue value = reader.find(ArchiveFormat.key(sort, id));
        if (value == null) {
            throw new IOException("the record " + sort + id + " is no longer found: the archive is damaged");
        }
        return value;
    }

    /** They are short, as was seen when it was opened. */
    private byte[] value(CdbValue value) throws IOException {
        if (value.length() > ArchiveFormat.LONGEST_VALUE) {
            throw new IOException("a record is longer than it was: the archive is damaged");
        }
        return copy(value.position(), (int) value.length());
    }

    /** {@return a copy of what is there} */
    byte[] copy(long position, int length) throws IOException {
        var copy = new byte[length];
        searched.read(position, ByteBuffer.wrap(copy));
        return copy;
    }

    /** {@return a body of a part of a content, which releases the archive} */
    Body body(String id, CdbValue place, long first, long length) throws IOException {
        requireWhole();
        boolean inMemory = kind == ArchiveBytes.Kind.MEMORY;
        BodyCheck check = inMemory ? BodyCheck.NONE : () -> requireUnchanged(id, place);
        return bytes.body(place.position() + first, length, check);
    }

    /** Where a new name or new rights may hide a write, the content itself tells, if it is not too long. */
    private void requireUnchanged(String id, CdbValue place) throws IOException {
        if (file.requireUnchanged() && (place.length() > MOST_COMPARED || !isOf(id, place))) {
            throw new IOException(UnchangedFile.CHANGED);
        }
    }

    private boolean isOf(String id, CdbValue place) throws IOException {
        MessageDigest digest = ArchiveFormat.sha256();
        var piece = ByteBuffer.allocate(PIECE);
        long end = place.position() + place.length();
        for (long at = place.position(); at < end; at += piece.limit()) {
            bytes.read(at, piece.clear().limit((int) Math.min(PIECE, end - at)));
            digest.update(piece.flip());
        }
        return ArchiveFormat.idOfDigest(digest.digest()).equals(id);
    }

    /**
     * Checks that what is mapped is still there, before it is sent: of a file that was cut, what is
     * missing of its last page is zeros, and only behind that page sending fails.
     */
    void requireWhole() throws IOException {
        if (kind == ArchiveBytes.Kind.MAPPED && !bytes.isWhole()) {
            throw new IOException("the archive has another length than it had: it was changed in place");
        }
    }

    /** {@return whether nothing of a page is looked up in the archive, so that all pages are kept} */
    boolean isIndexed() {
        return index.isComplete();
    }

    /** {@return how many pages of a kind are kept, where not all are} */
    long recentPages() {
        return ROOM / LARGEST_PAGE;
    }

    /** Whether there is room for more that is kept. */
    boolean hasRoom() {
        return room.get() > 0;
    }

    /** Takes room; false if there is none. */
    boolean keep(long bytes) {
        return hasRoom() && room.addAndGet(-bytes) > 0;
    }
}
