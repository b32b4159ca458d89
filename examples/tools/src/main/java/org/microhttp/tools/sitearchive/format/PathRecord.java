package org.microhttp.tools.sitearchive.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.extras.representation.Coding;

/**
 * What a path is answered with: the value of its record. A line is {@code CODING SP metadata-id SP
 * content-id}.
 *
 * @param variants at least one, each of another coding, in the order of {@link Coding}
 */
public record PathRecord(List<Entry> variants) {

    private static final Coding[] CODINGS = Coding.values();

    /**
     * A content in a coding.
     *
     * @param metadata the id of its metadata
     * @param content  the id of what is sent
     */
    public record Entry(Coding coding, String metadata, String content) {
    }

    /**
     * @throws IllegalArgumentException if there is no variant, or they are not in order
     */
    public PathRecord {
        variants = List.copyOf(variants);
        if (!isInOrder(variants)) {
            throw new IllegalArgumentException("no variant, or several in another order; allowed: one or"
                    + " more, identity before gzip before br before zstd");
        }
    }

    private static boolean isInOrder(List<Entry> variants) {
        for (int i = 1; i < variants.size(); i++) {
            if (variants.get(i).coding().compareTo(variants.get(i - 1).coding()) <= 0) {
                return false;
            }
        }
        return !variants.isEmpty();
    }

    /** {@return the record of this value} */
    public static PathRecord of(byte[] value) throws IOException {
        List<Entry> variants = new ArrayList<>();
        for (String line : ArchiveFormat.lines(value)) {
            variants.add(entry(line));
        }
        try {
            return new PathRecord(variants);
        } catch (IllegalArgumentException e) {
            throw new IOException("the record of a path has " + e.getMessage(), e);
        }
    }

    private static Entry entry(String line) throws IOException {
        String[] words = line.split(" ", -1);
        if (words.length == 3 && ArchiveFormat.isId(words[1]) && ArchiveFormat.isId(words[2])) {
            for (Coding coding : CODINGS) {
                if (coding.token().equals(words[0])) {
                    return new Entry(coding, words[1], words[2]);
                }
            }
        }
        throw new IOException("the record of a path has a line that is no coding with two ids");
    }

    /** {@return the value of this record} */
    public byte[] bytes() {
        return ArchiveFormat.bytes(variants.stream()
                .map(entry -> entry.coding().token() + " " + entry.metadata() + " " + entry.content())
                .toList());
    }
}
