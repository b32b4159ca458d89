package org.microhttp.tools.cdb;

import static org.microhttp.tools.cdb.CdbFormat.HEADER;
import static org.microhttp.tools.cdb.CdbFormat.LENGTHS;
import static org.microhttp.tools.cdb.CdbFormat.MAX_KEY;
import static org.microhttp.tools.cdb.CdbFormat.MAX_LENGTH;
import static org.microhttp.tools.cdb.CdbFormat.SLOT;
import static org.microhttp.tools.cdb.CdbFormat.TABLES;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds records by their key in a constant database (CDB, D. J. Bernstein's format). It knows where the
 * tables are and no more: a search reads some slots of one, and the record that one of these leads to.
 * Whatever harm has come to the file, a search ends, with an {@link IOException} or with what is in the file;
 * {@link #check} tells whether that is all of it. For any thread.
 */
public final class CdbReader {

    /** Gets the records. */
    public interface Visitor {

        void visit(byte[] key, CdbValue value) throws IOException;
    }

    /** So many slots are read at once: in the mean a search looks at one and a half. */
    private static final int SLOTS_A_READ = 8;

    /** Longer keys are compared in pieces. */
    private static final int PIECE = 256;

    /** What a search reads into: slots, then a piece of a record. No search begins another. */
    private static final ThreadLocal<ByteBuffer> SCRATCH = ThreadLocal.withInitial(() ->
            ByteBuffer.allocate(SLOTS_A_READ * SLOT + PIECE).order(ByteOrder.LITTLE_ENDIAN));

    private final CdbBytes bytes;
    private final long end;
    private final long[] positions = new long[TABLES];
    private final int[] slots = new int[TABLES];

    /** Reads the header, and checks that its tables fill the file from the last record to its end. */
    public CdbReader(CdbBytes bytes) throws IOException {
        this.bytes = bytes;
        long length = bytes.length();
        if (length < HEADER || length > MAX_LENGTH) {
            throw new IOException("the file has " + length + " bytes; a CDB has from " + HEADER + " to "
                    + MAX_LENGTH);
        }
        var header = new CdbCursor(bytes, 0, HEADER);
        for (int table = 0; table < TABLES; table++) {
            positions[table] = header.readNumber();
            slots[table] = slots(table, header.readNumber());
        }
        end = positions[0];
        if (end < HEADER) {
            throw new IOException("the first table is at position " + end
                    + ", within the header: the file is no CDB, or was never finished");
        }
        checkTables(length);
    }

    private int slots(int table, long slots) throws IOException {
        if (slots > MAX_LENGTH / SLOT) {
            throw new IOException("table " + table + " has " + slots
                    + " slots, which no CDB has room for: the file is none, or damaged");
        }
        return (int) slots;
    }

    private void checkTables(long length) throws IOException {
        long at = end;
        for (int table = 0; table < TABLES; table++) {
            if (positions[table] != at) {
                throw new IOException("table " + table + " is at position " + positions[table]
                        + ", where the one before it ends at " + at + ": the file is no CDB, or damaged");
            }
            at += (long) slots[table] * SLOT;
        }
        if (at != length) {
            throw new IOException("the last table ends at position " + at + ", and the file at " + length
                    + ": it is damaged, or was cut");
        }
    }

    /** {@return where the records end} */
    public long end() {
        return end;
    }

    /**
     * Finds the first record of a key. The work is bounded by the slots of one table.
     *
     * @return null if there is none
     */
    public CdbValue find(byte[] key) throws IOException {
        int hash = CdbFormat.hash(key);
        int table = CdbFormat.table(hash);
        int count = slots[table];
        if (count == 0) {
            return null;
        }
        ByteBuffer scratch = SCRATCH.get();
        int slot = CdbFormat.slot(hash, count);
        int left = count;
        while (left > 0) {
            int some = Math.min(SLOTS_A_READ, Math.min(left, count - slot));
            // a table may have more than 2 GiB
            bytes.read(positions[table] + (long) slot * SLOT, scratch.clear().limit(some * SLOT));
            for (int i = 0; i < some * SLOT; i += SLOT) {
                int position = scratch.getInt(i + 4);
                if (position == 0) {
                    return null;
                }
                CdbValue value = scratch.getInt(i) == hash ? value(position, key, scratch) : null;
                if (value != null) {
                    return value;
                }
            }
            left -= some;
            slot = (slot + some) % count;
        }
        return null;
    }

    /** Null if the record has another key: a hash may be that of several. */
    private CdbValue value(int position, byte[] key, ByteBuffer scratch) throws IOException {
        long at = Integer.toUnsignedLong(position);
        if (at < HEADER || at > end - LENGTHS) {
            throw new IOException("a slot leads to position " + at
                    + ", where no record can be: the file is damaged");
        }
        long room = end - LENGTHS - at;
        if (key.length > room) {
            return null;
        }
        int from = SLOTS_A_READ * SLOT;
        int piece = Math.min(key.length, PIECE - LENGTHS);
        bytes.read(at, scratch.limit(from + LENGTHS + piece).position(from));
        long length = Integer.toUnsignedLong(scratch.getInt(from + 4));
        if (scratch.getInt(from) != key.length || !isEqual(scratch, from + LENGTHS, key, 0, piece)
                || !hasRest(at + LENGTHS, key, piece, scratch)) {
            return null;
        }
        if (length > room - key.length) {
            throw new IOException("the record at position " + at + " has a value of " + length
                    + " bytes, and the records end at " + end + ": the file is damaged");
        }
        return new CdbValue(at + LENGTHS + key.length, length);
    }

    private boolean hasRest(long at, byte[] key, int compared, ByteBuffer scratch)
            throws IOException {
        int from = SLOTS_A_READ * SLOT;
        for (int i = compared; i < key.length; i += PIECE) {
            int piece = Math.min(PIECE, key.length - i);
            bytes.read(at + i, scratch.limit(from + piece).position(from));
            if (!isEqual(scratch, from, key, i, piece)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEqual(ByteBuffer scratch, int from, byte[] key, int first, int count) {
        return Arrays.equals(scratch.array(), from, from + count, key, first, first + count);
    }

    /** Visits all records in the order of the file, and checks that the last ends where the tables begin. */
    public void forEach(Visitor visitor) throws IOException {
        var cursor = new CdbCursor(bytes, HEADER, end);
        while (cursor.remaining() > 0) {
            long at = cursor.at();
            long keyLength = cursor.readNumber();
            long length = cursor.readNumber();
            if (keyLength > MAX_KEY || keyLength + length > cursor.remaining()) {
                throw new IOException("the record at position " + at + " has a key of " + keyLength
                        + " bytes and a value of " + length + "; allowed are keys of " + MAX_KEY
                        + ", and the records end at " + end + ": the file is damaged");
            }
            byte[] key = cursor.readBytes((int) keyLength);
            var value = new CdbValue(cursor.at(), length);
            cursor.skip(length);
            visitor.visit(key, value);
        }
    }

    /**
     * Checks that every record is found through the tables, and that these hold nothing else. It takes time
     * in proportion to the number of records, and some twenty bytes of memory for each.
     */
    public void check() throws IOException {
        try {
            var check = new CdbCheck(this, (bytes.length() - end) / SLOT);
            for (int table = 0; table < TABLES; table++) {
                check.table(bytes, table, positions[table], slots[table]);
            }
            check.end();
        } catch (OutOfMemoryError e) {
            throw new IOException("the file has more records than the heap has room to check", e);
        }
    }
}
