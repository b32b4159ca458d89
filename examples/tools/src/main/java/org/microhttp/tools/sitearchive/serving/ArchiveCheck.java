package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import org.microhttp.tools.cdb.CdbReader;
import org.microhttp.tools.cdb.CdbValue;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/**
 * Looks at all of an archive once, in the order of the file: that it is what {@link ArchiveFormat} says and
 * nothing else, that what has a digest is what that says, and that whatever is referred to is there. Fills an
 * index on the way. For one thread.
 */
final class ArchiveCheck {

    private static final int PIECE = 64 << 10;
    private static final String NO_DIGEST = "";

    /** In the order of the file. */
    private enum Sort { FORMAT, CONTENT, METADATA, PATH, WILDCARD, MISSING, FILES, FOLDERS, DIGEST }

    private static final Sort[] SORTS = Sort.values();

    private final ArchiveBytes bytes;
    private final CdbReader reader;
    private final PathCheck paths;
    private final ArchiveIndex index;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
    private final MessageDigest all = ArchiveFormat.sha256();
    private final MessageDigest one = ArchiveFormat.sha256();
    private Sort lastSort;
    private byte[] lastKey = {};
    private boolean hosts;
    private String digest = NO_DIGEST;
    private long contentsEnd;

    ArchiveCheck(ArchiveBytes bytes, CdbReader reader, ArchiveIndex index) {
        this.bytes = bytes;
        this.reader = reader;
        this.index = index;
        paths = new PathCheck(reader, this::small, index);
    }

    /** @throws IOException that says what is wrong */
    void run() throws IOException {
        reader.check();
        reader.forEach(this::visit);
        check(lastSort == Sort.DIGEST, "it has no digest at its end: it is none, or was never finished");
    }

    boolean hasHosts() {
        return hosts;
    }

    /** {@return what is different in each other archive} */
    String digest() {
        return digest;
    }

    /** {@return behind the last of the contents: what is searched first is there} */
    long contentsEnd() {
        return contentsEnd;
    }

    private void visit(byte[] key, CdbValue value) throws IOException {
        String name = ArchiveFormat.text(key);
        Sort sort = sort(name);
        int order = lastSort == null ? sort.ordinal() : sort.compareTo(lastSort);
        boolean first = lastSort == null && sort == Sort.FORMAT;
        boolean later = order > 0 || order == 0 && Arrays.compareUnsigned(key, lastKey) > 0;
        boolean next = lastSort != null && later;
        check(first || next, "the record " + Report.oneLine(name) + " is not where it has to be");
        lastSort = sort;
        lastKey = key;
        if (sort == Sort.DIGEST) {
            digest = ArchiveFormat.text(small(value));
            boolean same = digest.equals(ArchiveFormat.idOfDigest(all.digest()));
            check(same, "it is damaged: its digest is not that of what it has");
            return;
        }
        all.update(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN)
                .putInt(key.length).putInt((int) value.length()).flip());
        all.update(key);
        String id = digestOf(value);
        look(sort, name, value, id);
    }

    /** A key of a record that stands alone begins with a small letter. */
    private static Sort sort(String name) throws IOException {
        return switch (name) {
            case ArchiveFormat.FORMAT -> Sort.FORMAT;
            case ArchiveFormat.FILES -> Sort.FILES;
            case ArchiveFormat.FOLDERS -> Sort.FOLDERS;
            case ArchiveFormat.DIGEST -> Sort.DIGEST;
            default -> switch (name.isEmpty() ? 0 : name.charAt(0)) {
                case ArchiveFormat.CONTENT -> Sort.CONTENT;
                case ArchiveFormat.METADATA -> Sort.METADATA;
                case ArchiveFormat.PATH -> Sort.PATH;
                case ArchiveFormat.WILDCARD -> Sort.WILDCARD;
                case ArchiveFormat.MISSING -> Sort.MISSING;
                default -> throw new IOException(
                        "the record " + Report.oneLine(name) + " is of no known kind");
            };
        };
    }

    /** Reads all of a value, whatever its length. */
    private String digestOf(CdbValue value) throws IOException {
        long at = value.position();
        long end = at + value.length();
        while (at < end) {
            bytes.read(at, piece.clear().limit((int) Math.min(PIECE, end - at)));
            at += piece.limit();
            all.update(piece.flip());
            one.update(piece.rewind());
        }
        return ArchiveFormat.idOfDigest(one.digest());
    }

    private void look(Sort sort, String name, CdbValue value, String id) throws IOException {
        String rest = name.substring(1);
        switch (sort) {
            case FORMAT -> {
                hosts = ArchiveFormat.hasHosts(small(value));
                paths.setHosts(hosts);
                contentsEnd = value.position() + value.length();
            }
            case CONTENT -> {
                check(rest.equals(id), "the content " + Report.oneLine(rest) + " is damaged");
                index.addContent(rest, value);
                contentsEnd = value.position() + value.length();
            }
            case METADATA -> {
                check(rest.equals(id), "the metadata " + Report.oneLine(rest) + " are damaged");
                index.addMetadata(rest, Metadata.of(small(value)));
            }
            case PATH, WILDCARD, MISSING -> paths.look(name.charAt(0), rest, PathRecord.of(small(value)));
            case FILES, FOLDERS, DIGEST -> {
                // lists are for whoever looks into the archive
            }
        }
    }

    private byte[] small(CdbValue value) throws IOException {
        check(value.length() <= ArchiveFormat.LONGEST_VALUE, "a record of " + value.length()
                + " bytes is too long; allowed: " + ArchiveFormat.LONGEST_VALUE);
        var copy = new byte[(int) value.length()];
        bytes.read(value.position(), ByteBuffer.wrap(copy));
        return copy;
    }

    private static void check(boolean valid, String what) throws IOException {
        if (!valid) {
            throw new IOException(what);
        }
    }
}
