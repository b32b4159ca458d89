package org.microhttp.archives;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.microhttp.measure.Children;

/**
 * Asks for every address with the JDK's client, decodes what comes, and compares it with the file. brotli is
 * decoded by the program of this name, many answers at a time.
 */
final class EveryAddress {

    private static final int TOGETHER = 200;
    private static final double SECONDS_AT_MOST = 60;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ArchivedTree tree;
    private final int port;
    private final Path folder;

    /** Answers that are still to be decoded, and what must come of each. */
    private final Map<Path, Path> encoded = new LinkedHashMap<>();

    private long answers, coded;

    EveryAddress(ArchivedTree tree, int port) throws IOException {
        this.tree = tree;
        this.port = port;
        folder = Files.createTempDirectory("answers");
    }

    long answers() { return answers; }

    /** Of these, those in another coding than identity. */
    long coded() { return coded; }

    /** Fails at the first answer that is not what it should be. */
    void compare(String coding) throws IOException {
        for (Map.Entry<String, Path> address : tree.addresses().entrySet()) {
            ask(address.getKey(), address.getValue(), coding);
            if (encoded.size() == TOGETHER) decode();
        }
        decode();
    }

    private void ask(String target, Path file, String coding) throws IOException {
        URI address = URI.create("http://127.0.0.1:" + port + target);
        HttpRequest request = HttpRequest.newBuilder(address).header("Accept-Encoding", coding).build();
        HttpResponse<byte[]> answer;
        try {
            answer = client.send(request, BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (answer.statusCode() != 200) throw new IOException(target + ": " + answer.statusCode());
        String used = answer.headers().firstValue("Content-Encoding").orElse("identity");
        answers++;
        if (!used.equals("identity")) coded++;
        switch (used) {
            case "identity" -> compare(file, answer.body());
            case "gzip" -> compare(file,
                    new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes());
            case "br" -> {
                Path stored = folder.resolve(encoded.size() + ".br");
                encoded.put(Files.write(stored, answer.body()), file);
            }
            default -> throw new IOException(target + ": " + used + " was not asked for");
        }
    }

    private void decode() throws IOException {
        if (encoded.isEmpty()) return;
        List<String> command = new ArrayList<>(List.of("brotli", "-d", "-f"));
        encoded.keySet().forEach(answer -> command.add("" + answer));
        Children.succeed(command, SECONDS_AT_MOST);
        for (Map.Entry<Path, Path> one : encoded.entrySet()) {
            Path decoded = Path.of(one.getKey().toString().replaceFirst("[.]br$", ""));
            compare(one.getValue(), Files.readAllBytes(decoded));
        }
        encoded.clear();
    }

    private static void compare(Path file, byte[] content) throws IOException {
        boolean equal = Arrays.equals(Files.readAllBytes(file), content);
        if (!equal) throw new IOException(file + ": " + content.length + " bytes are not those of the file");
    }
}
