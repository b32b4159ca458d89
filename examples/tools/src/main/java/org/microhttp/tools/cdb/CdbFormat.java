package org.microhttp.tools.cdb;

/** The numbers of the format. All numbers in a file have 32 bits, without sign, the lowest byte first. */
public final class CdbFormat {

    static final int TABLES = 256;

    /** How long the header is, behind which is the first record: of each table its position and its slots. */
    public static final int HEADER = TABLES * 8;

    /** Of a slot: the hash of a key and the position of its record, which is 0 in an empty one. */
    static final int SLOT = 8;

    /** What a record has before its key: the lengths of key and value. */
    public static final int LENGTHS = 8;

    /** Twice as many slots as records, so that most are found in the first or the second. */
    static final int SLOTS_A_RECORD = 2;

    /** The end of a file has to be a number of 32 bits, too: other programs keep it in one. */
    static final long MAX_LENGTH = 0xFFFF_FFFFL;

    /** The format allows more; so a damaged length cannot take all memory. */
    static final int MAX_KEY = 1 << 24;

    private CdbFormat() {
    }

    /** The lowest eight bits are the number of the table, the others lead to a slot in it. */
    static int hash(byte[] key) {
        int hash = 5381;
        for (byte value : key) {
            hash = hash * 33 ^ value & 0xFF;
        }
        return hash;
    }

    static int table(int hash) {
        return hash & TABLES - 1;
    }

    /** {@return the slot in which the search begins} */
    static int slot(int hash, int slots) {
        return (hash >>> 8) % slots;
    }
}
