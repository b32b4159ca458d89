package org.microhttp.tools.cdb;

import static org.microhttp.tools.cdb.CdbFormat.HEADER;
import static org.microhttp.tools.cdb.CdbFormat.LENGTHS;
import static org.microhttp.tools.cdb.CdbFormat.MAX_KEY;
import static org.microhttp.tools.cdb.CdbFormat.MAX_LENGTH;
import static org.microhttp.tools.cdb.CdbFormat.SLOT;
import static org.microhttp.tools.cdb.CdbFormat.SLOTS_A_RECORD;
import static org.microhttp.tools.cdb.CdbFormat.TABLES;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/**
 * Writes a constant database (CDB, D. J. Bernstein's format): its records, in the order in which they are
 * put, then, when it is finished, tables and header. Before that the header is empty, and no reader takes the
 * file. The same records give the same file. For one thread.
 */
public final class CdbWriter implements Closeable {

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    /** Where the next record begins. */
    private long position = HEADER;

    /** Where the bytes of the buffer go. */
    private long at = HEADER;

    /** Of each record the hash of its key, and in the lower half its position. */
    private long[] entries = new long[1 << 10];
    private int records;

    /** Why nothing can be put; null while it can. */
    private String ended;

    /** @param file an empty one, that nobody else writes to; its own position is not used */
    public CdbWriter(FileChannel file) throws IOException {
        if (file.size() > 0) {
            throw new IllegalArgumentException("the file has " + file.size()
                    + " bytes already; allowed is an empty one");
        }
        this.file = file;
    }

    /** {@return where the next record begins} All before that is in the file. */
    public long position() {
        return position;
    }

    /**
     * Writes a record.
     *
     * @param value what is between position and limit, which stay
     * @throws IOException if the file would become too long, before anything of the record is written; or
     *                     because it cannot be written, and then nothing more can be
     */
    public void put(byte[] key, ByteBuffer value) throws IOException {
        begin(key, value.remaining());
        append(value.duplicate());
        drain();
        end();
    }

    /** The same with all of a file, which is open for reading; its own position is not used. */
    public void put(byte[] key, FileChannel value) throws IOException {
        long length = value.size();
        begin(key, length);
        for (long read = 0; read < length;) {
            makeRoom();
            buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + length - read));
            int count = value.read(buffer, read);
            buffer.limit(buffer.capacity());
            if (count < 0) {
                throw new IOException("the file of a value had " + length + " bytes, and " + read
                        + " when it was read");
            }
            read += count;
        }
        drain();
        end();
    }

    private void begin(byte[] key, long length) throws IOException {
        if (ended != null) {
            throw new IllegalStateException(ended);
        }
        if (key.length > MAX_KEY) {
            throw new IOException("a key has " + key.length + " bytes; allowed are " + MAX_KEY);
        }
        // the tables have to fit, too
        long room = MAX_LENGTH - position - LENGTHS - key.length - (records + 1L) * SLOTS_A_RECORD * SLOT;
        if (length > room) {
            throw new IOException("the file would be longer than a CDB can be, 4 GiB: behind " + records
                    + " records there is room for a value of " + Math.max(0, room)
                    + " bytes, and the next one has " + length);
        }
        if (records == entries.length) {
            entries = Arrays.copyOf(entries, records * 2);
        }
        entries[records] = (long) CdbFormat.hash(key) << 32 | position;
        ended = "a record could not be written";
        buffer.putInt(key.length).putInt((int) length);
        append(ByteBuffer.wrap(key));
        position += LENGTHS + key.length + length;
    }

    private void end() {
        records++;
        ended = null;
    }

    private void append(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            makeRoom();
            int count = Math.min(buffer.remaining(), bytes.remaining());
            buffer.put(bytes.slice(bytes.position(), count));
            bytes.position(bytes.position() + count);
        }
    }

    private void makeRoom() throws IOException {
        if (!buffer.hasRemaining()) {
            drain();
        }
    }

    private void drain() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            at += file.write(buffer, at);
        }
        buffer.clear();
    }

    /** Writes tables and header: now it is a CDB. */
    public void finish() throws IOException {
        if (ended != null) {
            throw new IllegalStateException(ended);
        }
        ended = "the tables could not be written";
        int[] starts = starts();
        long[] sorted = sorted(starts);
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
        for (int table = 0; table < TABLES; table++) {
            int slots = SLOTS_A_RECORD * (starts[table + 1] - starts[table]);
            header.putInt((int) (position + (long) SLOTS_A_RECORD * SLOT * starts[table])).putInt(slots);
            writeTable(sorted, starts[table], slots);
        }
        drain();
        at = 0;
        append(header.flip());
        drain();
        ended = "the file is finished";
    }

    /** {@return where the entries of each table begin when they are sorted by table} */
    private int[] starts() {
        var starts = new int[TABLES + 1];
        for (int i = 0; i < records; i++) {
            starts[CdbFormat.table(hash(entries[i])) + 1]++;
        }
        for (int table = 0; table < TABLES; table++) {
            starts[table + 1] += starts[table];
        }
        return starts;
    }

    /** In a table they stay in the order of the file, so of equal keys the first is found. */
    private long[] sorted(int[] starts) {
        int[] next = starts.clone();
        var sorted = new long[records];
        for (int i = 0; i < records; i++) {
            sorted[next[CdbFormat.table(hash(entries[i]))]++] = entries[i];
        }
        return sorted;
    }

    private void writeTable(long[] sorted, int start, int slots) throws IOException {
        var table = new long[slots];
        for (int i = start; i < start + slots / SLOTS_A_RECORD; i++) {
            int slot = CdbFormat.slot(hash(sorted[i]), slots);
            while (table[slot] != 0) {
                slot = (slot + 1) % slots;
            }
            table[slot] = sorted[i];
        }
        for (long entry : table) {
            makeRoom();
            buffer.putInt(hash(entry)).putInt((int) entry);
        }
    }

    private static int hash(long entry) {
        return (int) (entry >>> 32);
    }

    /** Closes the file, which is a CDB if it was finished. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
