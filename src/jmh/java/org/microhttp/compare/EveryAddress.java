package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Children;

/** Asks for every address with curl, which decodes what comes, and compares that with the file. */
final class EveryAddress {

    private static final double SECONDS_AT_MOST = 600;

    private final ArchivedTree tree;
    private final int port;

    /** How many answers there were, and of these those in another coding than identity. */
    long answers, coded;

    EveryAddress(ArchivedTree tree, int port) {
        this.tree = tree;
        this.port = port;
    }

    /** Fails if an answer is not what it should be. */
    void compare(String coding) throws IOException {
        Path folder = Files.createTempDirectory("answers");
        List<String> lines = new ArrayList<>();
        for (String target : tree.addresses().keySet()) {
            // of an empty answer curl makes no file
            Path answer = Files.createFile(folder.resolve("" + lines.size() / 2));
            lines.add("url = \"http://127.0.0.1:" + port + target + "\"");
            lines.add("output = " + answer);
        }
        Path asked = Files.write(folder.resolve("asked"), lines);
        String codings = Children.succeed(List.of("curl", "-s", "-S", "-g", "--fail-early", "--fail",
                "--compressed", "-H", "Accept-Encoding: " + coding, "-w", "<%header{content-encoding}>\n",
                "-K", "" + asked), SECONDS_AT_MOST);
        for (Map.Entry<String, Path> address : tree.addresses().entrySet()) {
            Path answer = folder.resolve("" + answers % tree.addresses().size());
            boolean equal = Files.mismatch(answer, address.getValue()) < 0;
            if (!equal) throw new IOException(address.getKey() + " is not answered with its file");
            Files.delete(answer);
            answers++;
        }
        coded += codings.lines().filter(line -> line.matches("<(gzip|br)>")).count();
    }
}
