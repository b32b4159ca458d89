package org.microhttp.tools.sitearchive.making;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.filesystem.Encoder;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.reporting.Progress;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * The contents of the site's files, each read once into a copy, and encoded from that. Equal ones are kept
 * once, and a file that has several names is read once. All of them are in files, none in memory.
 */
final class SourceContents {

    private static final int ATTEMPTS = 5;

    private static final int BUFFER_SIZE = 1 << 16;

    /** What no archive has room for, whatever else is in it. */
    private static final long TOO_LONG = 1L << 32;

    /** A coding is worth it that saves one part in so many, and at least so many bytes. */
    private static final int LEAST_PART = 20;
    private static final int LEAST_BYTES = 128;

    /** What cannot be read, by its name, and why. */
    final Map<String, String> failures = new ConcurrentHashMap<>();

    private final ArchiveSettings settings;
    private final WorkFolder work;
    private final Map<Object, StoredPiece> plain = new ConcurrentHashMap<>();

    /** By the ids of the contents. */
    private final Map<String, Map<Coding, StoredPiece>> coded = new ConcurrentHashMap<>();

    SourceContents(ArchiveSettings settings, WorkFolder work) {
        this.settings = settings;
        this.work = work;
    }

    /**
     * Reads files.
     *
     * @return those that could be read
     */
    List<SourceFile> read(List<SourceFile> files, Progress progress)
            throws IOException, InterruptedException {
        Map<Object, List<SourceFile>> byKey = new LinkedHashMap<>();
        for (SourceFile file : files) {
            byKey.computeIfAbsent(file.key(), key -> new ArrayList<>()).add(file);
        }
        Parallel.each(List.copyOf(byKey.values()), settings.jobs(), names -> {
            readOne(names);
            names.forEach(file -> progress.done(file.size()));
        });
        progress.erase();
        return files.stream().filter(file -> plain.containsKey(file.key())).toList();
    }

    private void readOne(List<SourceFile> names) throws IOException, InterruptedException {
        for (SourceFile file : names) {
            if (file.size() >= TOO_LONG && (isPlainKept() || !isCompressible(file))) {
                throw new IOException(file.name() + " has " + file.size()
                        + " bytes; an archive has less than 4 GiB");
            }
        }
        Path part = work.newPart();
        String failure = copy(names.get(0), part);
        if (failure == null) {
            return;
        }
        Files.delete(part);
        names.forEach(file -> failures.put(file.name(), failure));
    }

    /** Why it could not be read; null if it could. What goes wrong on our side is thrown. */
    private String copy(SourceFile file, Path part) throws IOException, InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            MessageDigest digest = ArchiveFormat.sha256();
            FileVersion version;
            boolean unchanged;
            try {
                version = settled(file.file());
                if (!version.isFile()) {
                    return "it is no file any more";
                }
                boolean settled = version.isSettled();
                long length = copy(file.file(), part, digest, version.size());
                unchanged = settled && FileVersion.of(file.file()).equals(version);
                if (unchanged && length != version.size()) {
                    return "it has another length than it says, as files of the system have";
                }
            } catch (UnreadableException e) {
                return e.getMessage();
            }
            if (unchanged) {
                String id = ArchiveFormat.idOfDigest(digest.digest());
                work.keep(part, id);
                plain.put(file.key(), new StoredPiece(id, version.size()));
                return null;
            }
        }
        return "it changes all the time";
    }

    /** If it is settled, what is written from now on makes another version of the file. */
    private static FileVersion settled(Path file) throws UnreadableException, InterruptedException {
        try {
            FileVersion version = FileVersion.of(file);
            if (version.isSettled()) {
                return version;
            }
            Thread.sleep(FileVersion.TICK.toMillis());
            return FileVersion.of(file);
        } catch (IOException e) {
            throw new UnreadableException(e);
        }
    }

    /** What is longer than it was is not read to its end, which it may not have. */
    private static long copy(Path from, Path to, MessageDigest digest, long expected) throws IOException {
        try (InputStream in = new DigestInputStream(input(from), digest);
                OutputStream out = Files.newOutputStream(to)) {
            byte[] buffer = new byte[BUFFER_SIZE];
            long length = 0;
            int count = read(in, buffer);
            while (count >= 0 && length <= expected) {
                out.write(buffer, 0, count);
                length += count;
                count = read(in, buffer);
            }
            return length;
        }
    }

    /** Unlike a stream of {@link Files} it ends with an interrupt of its thread, however long the file is. */
    private static InputStream input(Path from) throws UnreadableException {
        try {
            return Channels.newInputStream(FileChannel.open(from, READ, NOFOLLOW_LINKS));
        } catch (IOException e) {
            throw new UnreadableException(e);
        }
    }

    private static int read(InputStream in, byte[] buffer) throws UnreadableException {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            throw new UnreadableException(e);
        }
    }

    /** What is wrong is wrong with the file of the site, and not with what is made of it. */
    private static final class UnreadableException extends IOException {

        private static final long serialVersionUID = 1;

        UnreadableException(IOException cause) {
            super(InputFile.reason(cause), cause);
        }
    }

    /** Encodes what may be worth it, the largest first, so that no job is left alone with it at the end. */
    void encode(List<StoredPiece> due, Progress progress) throws IOException, InterruptedException {
        List<StoredPiece> pieces = new ArrayList<>(due);
        pieces.sort(Comparator.comparingLong(StoredPiece::length).reversed());
        Parallel.each(pieces, settings.jobs(), piece -> {
            coded.put(piece.id(), encode(piece));
            progress.done(piece.length());
        });
        progress.erase();
    }

    /** The contents that may be worth it, each once. */
    List<StoredPiece> compressible(List<SourceFile> files) {
        boolean wanted = settings.codings().stream().anyMatch(coding -> coding != Coding.IDENTITY);
        return files.stream().filter(file -> wanted && isCompressible(file))
                .map(this::plain).distinct().toList();
    }

    private Map<Coding, StoredPiece> encode(StoredPiece piece) throws IOException, InterruptedException {
        Map<Coding, StoredPiece> kept = new EnumMap<>(Coding.class);
        for (Coding coding : settings.codings()) {
            if (coding != Coding.IDENTITY && isWorthIt(piece.length(), 0)) {
                Path part = work.newPart();
                Encoder.encode(coding, work.content(piece.id()), part);
                long length = Files.size(part);
                if (isWorthIt(piece.length(), length)) {
                    String id = id(part);
                    work.keep(part, id);
                    kept.put(coding, new StoredPiece(id, length));
                } else {
                    Files.delete(part);
                }
            }
        }
        // what was encoded must be what was read
        if (!id(work.content(piece.id())).equals(piece.id())) {
            throw new IOException("a content was changed in the work folder while it was encoded");
        }
        return kept;
    }

    private static String id(Path part) throws IOException {
        MessageDigest digest = ArchiveFormat.sha256();
        try (InputStream in = new DigestInputStream(input(part), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return ArchiveFormat.idOfDigest(digest.digest());
    }

    /** Small ones save no packet by a few bytes, and an answer that is encoded has fields that say so. */
    private static boolean isWorthIt(long size, long encoded) {
        return size - encoded >= Math.max(LEAST_BYTES, size / LEAST_PART);
    }

    private boolean isPlainKept() {
        return settings.codings().contains(Coding.IDENTITY);
    }

    private boolean isCompressible(SourceFile file) {
        return settings.types().isCompressible(settings.types().of(file.simpleName()));
    }

    StoredPiece plain(SourceFile file) {
        return plain.get(file.key());
    }

    /**
     * What a file is answered with: the codings that were asked for and are worth it. Unless these are all,
     * the content itself is among them, for clients that accept another of those codings.
     */
    Map<Coding, StoredPiece> variants(SourceFile file) {
        Map<Coding, StoredPiece> variants = new EnumMap<>(Coding.class);
        if (isCompressible(file)) {
            variants.putAll(coded.getOrDefault(plain(file).id(), Map.of()));
        }
        if (variants.size() < settings.codings().size()) {
            variants.put(Coding.IDENTITY, plain(file));
        }
        return variants;
    }

    /** The empty content, which answers without one have. */
    StoredPiece empty() throws IOException {
        String id = ArchiveFormat.idOf(new byte[0]);
        work.keep(work.newPart(), id);
        return new StoredPiece(id, 0);
    }
}
