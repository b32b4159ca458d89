package org.microhttp.tools.sitearchive.making;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.SortedMap;
import org.microhttp.tools.cdb.CdbFormat;
import org.microhttp.tools.cdb.CdbWriter;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.PathRecord;

/** Writes the file of an archive. */
final class ArchiveFile {

    private static final int BUFFER_SIZE = 1 << 16;

    private final FileChannel file;
    private final CdbWriter writer;

    private ArchiveFile(FileChannel file, CdbWriter writer) {
        this.file = file;
        this.writer = writer;
    }

    /** Says whether a file is meant to be an archive, be it damaged or of another version. */
    static boolean isArchive(FileChannel file) throws IOException {
        byte[] key = ArchiveFormat.FORMAT.getBytes(StandardCharsets.US_ASCII);
        var found = ByteBuffer.allocate(key.length);
        int count = file.read(found, CdbFormat.HEADER + CdbFormat.LENGTHS);
        return count == key.length && found.flip().equals(ByteBuffer.wrap(key));
    }

    /**
     * Writes an archive into an empty file, and has it on the disk.
     *
     * @return its length
     * @throws IOException also if it would be too long for a CDB
     */
    static long write(Path path, boolean hosts, SiteRecords records, WorkFolder work)
            throws IOException {
        try (FileChannel file = FileChannel.open(path, READ, WRITE); var writer = new CdbWriter(file)) {
            var archive = new ArchiveFile(file, writer);
            archive.put(ArchiveFormat.FORMAT, ArchiveFormat.format(hosts));
            archive.putContents(records, work);
            for (var answer : records.metadata.entrySet()) {
                archive.put(ArchiveFormat.METADATA + answer.getKey(), answer.getValue());
            }
            archive.put(ArchiveFormat.PATH, records.paths);
            archive.put(ArchiveFormat.WILDCARD, records.wildcards);
            archive.put(ArchiveFormat.MISSING, records.missing);
            archive.putList(ArchiveFormat.FILES, records.fileListing);
            archive.putList(ArchiveFormat.FOLDERS, records.folderListing);
            String digest = archive.digest(CdbFormat.HEADER);
            archive.put(ArchiveFormat.DIGEST, digest.getBytes(StandardCharsets.US_ASCII));
            writer.finish();
            file.force(true);
            return file.size();
        }
    }

    private void putContents(SiteRecords records, WorkFolder work) throws IOException {
        for (String id : records.contents.keySet()) {
            try (FileChannel content = FileChannel.open(work.content(id), READ)) {
                writer.put(ArchiveFormat.key(ArchiveFormat.CONTENT, id), content);
            }
            if (!digest(writer.position() - records.contents.get(id)).equals(id)) {
                throw new IOException("a content was changed in the work folder before it was written");
            }
        }
    }

    private void put(char letter, SortedMap<String, PathRecord> records) throws IOException {
        for (var path : records.entrySet()) {
            put(letter + path.getKey(), path.getValue().bytes());
        }
    }

    private void putList(String key, Collection<String> list) throws IOException {
        if (list != null) {
            put(key, ArchiveFormat.bytes(list.stream().sorted(SitePaths.ORDER).toList()));
        }
    }

    private void put(String key, byte[] value) throws IOException {
        writer.put(key.getBytes(StandardCharsets.UTF_8), ByteBuffer.wrap(value));
    }

    /** Of all bytes from a position on, up to the end of the last record. */
    private String digest(long from) throws IOException {
        MessageDigest digest = ArchiveFormat.sha256();
        var buffer = ByteBuffer.allocate(BUFFER_SIZE);
        long at = from;
        while (at < writer.position()) {
            buffer.clear().limit((int) Math.min(BUFFER_SIZE, writer.position() - at));
            int count = file.read(buffer, at);
            if (count < 0) {
                throw new EOFException("it was cut while it was written");
            }
            digest.update(buffer.flip());
            at += count;
        }
        return ArchiveFormat.idOfDigest(digest.digest());
    }
}
