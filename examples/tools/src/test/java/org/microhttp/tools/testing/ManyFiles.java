package org.microhttp.tools.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.zip.GZIPInputStream;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;
import org.microhttp.tools.fileserver.Compressor;

/**
 * A site of many files that is compressed and served. Each file is asked for in every coding, and what comes
 * is decoded and compared; brotli and zstd are decoded by the programs of these names, many files at a time.
 */
public final class ManyFiles {

    private static final List<String> CODINGS = List.of("identity", "gzip", "br", "zstd");
    private static final List<String> SUFFIXES = List.of(".html", ".css", ".js", ".json", ".svg", ".bin", "");
    private static final String NAME_CHARACTERS = "abcXYZ019-_.~ %&+,;=@()'!$#?\"<>[]{}|^`:*";
    private static final int TOGETHER = 200;

    private final Path folder;
    private final List<Path> files = new ArrayList<>();

    /** Files to decode, and what must come of each. */
    private final TreeMap<Path, Path> encoded = new TreeMap<>();
    private final TreeMap<String, Integer> compared = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();

    private final Path answers;

    /** @param folder an empty one, in which all is made */
    public ManyFiles(Path folder) throws IOException {
        this.folder = folder;
        answers = Files.createDirectory(folder.resolve("answers"));
    }

    /** How many answers of each coding were compared. */
    public TreeMap<String, Integer> compared() {
        return compared;
    }

    /** Makes, compresses, serves and compares them; says which answers were not as they should be. */
    public List<String> differences(int count, long seed, int longest, long memory) throws Exception {
        try (var site = new FileSite(folder, memory)) {
            make(site.root, count, new Random(seed), longest);
            int status = Compressor.run(System.out, System.err, "--root", "" + site.root, "--cache",
                    "" + site.cache);
            assertEquals(0, status, "FileServer compress");
            RawClient client = site.connect();
            for (Path file : files) {
                ask(client, site.root, file);
            }
        }
        decodeAll();
        return differences;
    }

    /** Words of a small vocabulary, so that most can be compressed; some of random bytes cannot. */
    private void make(Path root, int count, Random random, int longest) throws IOException {
        for (int i = 0; i < count; i++) {
            var name = new StringBuilder("n");
            for (int k = random.nextInt(12); k > 0; k--) {
                name.append(NAME_CHARACTERS.charAt(random.nextInt(NAME_CHARACTERS.length())));
            }
            String suffix = SUFFIXES.get(random.nextInt(SUFFIXES.size()));
            Path file = root.resolve("folder " + i % 50).resolve(name.toString() + i + suffix);
            byte[] content = new byte[random.nextInt(longest)];
            int letters = random.nextInt(10) == 0 ? 256 : 2 + random.nextInt(20);
            for (int k = 0; k < content.length; k++) {
                content[k] = (byte) (random.nextInt(letters) + (letters < 256 ? ' ' : 0));
            }
            Files.createDirectories(file.getParent());
            files.add(Files.write(file, content));
        }
    }

    private void ask(RawClient client, Path root, Path file) throws IOException {
        var target = new StringBuilder();
        for (byte each : ("/" + root.relativize(file)).getBytes(StandardCharsets.US_ASCII)) {
            target.append(each == '/' ? "/" : String.format("%%%02x", each));
        }
        for (String coding : CODINGS) {
            String request = FileSite.request("GET", target.toString(), "Accept-Encoding: " + coding);
            RawResponse response = client.send(request).response();
            if (response.status() == 200) {
                String used = response.header("Content-Encoding");
                compare(file, used == null ? "identity" : used, response.body());
            } else {
                differences.add(file + ": " + response);
            }
        }
    }

    private void compare(Path file, String coding, byte[] body) throws IOException {
        compared.merge(coding, 1, Integer::sum);
        if (coding.equals("identity")) {
            compare(file, body);
        } else if (coding.equals("gzip")) {
            compare(file, new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes());
        } else {
            String suffix = coding.equals("br") ? ".br" : ".zst";
            Path answer = answers.resolve(encoded.size() + suffix);
            encoded.put(Files.write(answer, body), file);
        }
    }

    private void compare(Path file, byte[] content) throws IOException {
        if (!Arrays.equals(Files.readAllBytes(file), content)) {
            differences.add(file + ": " + content.length + " bytes are not those of the file");
        }
    }

    private void decodeAll() throws Exception {
        List<Path> all = new ArrayList<>(encoded.keySet());
        for (String suffix : List.of(".br", ".zst")) {
            List<Path> ours = all.stream().filter(path -> path.toString().endsWith(suffix)).toList();
            for (int from = 0; from < ours.size(); from += TOGETHER) {
                decode(suffix, ours.subList(from, Math.min(ours.size(), from + TOGETHER)));
            }
        }
        for (Path answer : all) {
            String name = answer.toString();
            String decoded = name.substring(0, name.lastIndexOf('.'));
            compare(encoded.get(answer), Files.readAllBytes(Path.of(decoded)));
        }
    }

    private static void decode(String suffix, List<Path> answers) throws Exception {
        List<String> command = new ArrayList<>(List.of(suffix.equals(".br") ? "brotli" : "zstd", "-d", "-f"));
        answers.forEach(answer -> command.add(answer.toString()));
        Programs.run(0, command.toArray(String[]::new));
    }

    /** Whether what decodes is installed. */
    public static boolean isPossible() {
        return Programs.isInstalled("brotli") && Programs.isInstalled("zstd");
    }
}
