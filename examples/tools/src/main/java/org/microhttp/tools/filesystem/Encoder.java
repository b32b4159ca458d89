package org.microhttp.tools.filesystem;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.microhttp.extras.representation.Coding;

/** Encodes files, as small as it can be done: in gzip here, in others by the programs of Debian. */
public final class Encoder {

    /**
     * From standard input to standard output. The windows are the largest that every client has to take: for
     * brotli 16 MiB (RFC 7932 §9.1), for zstd as a content coding 8 MiB (RFC 9659 §3).
     */
    private static final Map<Coding, List<String>> COMMANDS = Map.of(
            Coding.BROTLI, List.of("brotli", "-q", "11", "-w", "24", "-c"),
            Coding.ZSTD, List.of("zstd", "-q", "--ultra", "-22", "--zstd=wlog=23", "-c"));

    private Encoder() {
    }

    /** The program that a coding needs; null if it needs none. */
    public static String program(Coding coding) {
        return COMMANDS.containsKey(coding) ? COMMANDS.get(coding).get(0) : null;
    }

    public static boolean isAvailable(Coding coding) throws InterruptedException {
        if (!COMMANDS.containsKey(coding)) {
            return true;
        }
        try {
            var asked = new ProcessBuilder(program(coding), "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            return asked.start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Encodes a file into another one, which is overwritten.
     *
     * @throws IOException if it cannot be done; what is in the other file then is of no use
     */
    public static void encode(Coding coding, Path from, Path to) throws IOException, InterruptedException {
        if (coding == Coding.GZIP) {
            gzip(from, to);
        } else {
            run(COMMANDS.get(coding), from, to);
        }
    }

    /** The header has no time, so the same content makes the same bytes. */
    private static void gzip(Path from, Path to) throws IOException {
        // a channel, so that an interrupt ends it
        try (InputStream in = Channels.newInputStream(FileChannel.open(from));
                OutputStream out = new BestGzip(Files.newOutputStream(to))) {
            in.transferTo(out);
        }
    }

    /** The stream of the JDK leaves the level to those that extend it. */
    private static final class BestGzip extends GZIPOutputStream {

        private static final int BUFFER_SIZE = 1 << 16;

        BestGzip(OutputStream out) throws IOException {
            super(out, BUFFER_SIZE);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }

    /** A program that is given the file's name, which is one of ours, knows its length beforehand. */
    private static void run(List<String> command, Path from, Path to)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(command);
        words.add(from.toString());
        Process process = new ProcessBuilder(words).redirectOutput(to.toFile()).start();
        process.getOutputStream().close();
        // what it says is short; it would wait for us if we did not read it
        String said = new String(process.getErrorStream().readAllBytes()).strip();
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(command.get(0) + " ended with " + status
                    + (said.isEmpty() ? "" : ": " + said));
        }
    }
}
