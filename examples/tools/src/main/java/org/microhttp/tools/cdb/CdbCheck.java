package org.microhttp.tools.cdb;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Compares tables with records. The work grows with their number alone, however the keys are spread: each
 * slot is looked at twice, and each record is searched for by its position.
 */
final class CdbCheck {

    private final long slots;

    /** Of each record, in the order of the file. */
    private int[] positions = new int[1 << 10];
    private int[] hashes = new int[1 << 10];
    private int count;
    private final BitSet found = new BitSet();

    /** @param slots how many there are in all tables */
    CdbCheck(CdbReader reader, long slots) throws IOException {
        this.slots = slots;
        reader.forEach((key, value) ->
                add(value.position() - key.length - CdbFormat.LENGTHS, CdbFormat.hash(key)));
    }

    private void add(long position, int hash) throws IOException {
        if (count == slots) {
            throw lost(position);
        }
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, count * 2);
            hashes = Arrays.copyOf(hashes, count * 2);
        }
        positions[count] = (int) position;
        hashes[count++] = hash;
    }

    /** Looks at a table twice: a search goes on from its end to its beginning. */
    void table(CdbBytes bytes, int table, long position, int slots) throws IOException {
        long run = 0;
        for (int round = 0; round < 2; round++) {
            var cursor = new CdbCursor(bytes, position, position + (long) slots * CdbFormat.SLOT);
            for (int slot = 0; slot < slots; slot++) {
                int hash = (int) cursor.readNumber();
                long record = cursor.readNumber();
                if (record != 0 && round == 1) {
                    entry(table, hash, record);
                    requireReached(record, CdbFormat.slot(hash, slots), slot, slots, run);
                }
                if (record == 0 && hash != 0) {
                    throw new IOException("an empty slot of table " + table + " has the hash " + hash
                            + ": the file is damaged");
                }
                run = record == 0 ? 0 : run + 1;
            }
        }
    }

    /**
     * Fails if a search ends before it comes to a slot.
     *
     * @param first where it begins
     * @param run   how many slots before that one are not empty
     */
    private static void requireReached(long record, int first, int slot, int slots, long run)
            throws IOException {
        int before = slot >= first ? slot - first : slot - first + slots;
        if (before > run) {
            throw lost(record);
        }
    }

    private void entry(int table, int hash, long record) throws IOException {
        int index = index((int) record);
        if (index < 0 || hashes[index] != hash || found.get(index)) {
            throw new IOException("table " + table + " leads to position " + record
                    + ", where no record of this hash begins, or leads there twice: the file is damaged");
        }
        if (CdbFormat.table(hash) != table) {
            throw lost(record);
        }
        found.set(index);
    }

    private int index(int position) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int order = Integer.compareUnsigned(positions[middle], position);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    void end() throws IOException {
        int missing = found.nextClearBit(0);
        if (missing < count) {
            throw lost(Integer.toUnsignedLong(positions[missing]));
        }
    }

    private static IOException lost(long record) {
        return new IOException("the record at position " + record
                + " is not found through the tables: the file is damaged");
    }
}
