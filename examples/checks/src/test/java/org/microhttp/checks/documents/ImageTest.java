package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.Tier;

/** An image of Java that has the library and what it needs, and runs the README's smallest server. */
@Tier.Full
final class ImageTest {

    private static final String PAGE = Readme.read(Readme.PAGES.resolve("operating.md"));

    private final Path jar = Path.of(System.getProperty("jar", "no property: run mvn verify"));

    @TempDir
    private Path folder;

    /** Made by the page's own command, which has other folders. */
    @Test
    void servesWithoutAnythingElseOfJava() throws Exception {
        Matcher command = Pattern.compile("(?m)^jlink (.*)$").matcher(PAGE);
        assertTrue(command.find());
        Path image = folder.resolve("image");
        Path jlink = Path.of(Programs.JAVA).resolveSibling("jlink");
        assumeTrue(Files.isExecutable(jlink), "this JDK makes no images");
        var words = new ArrayList<>(List.of(jlink.toString()));
        words.addAll(List.of(command.group(1).replace("target/" + jar.getFileName(), jar.toString())
                .replace("--output image", "--output " + image).split(" ")));
        Programs.run(0, words.toArray(String[]::new));
        String source = Readme.blocks("java").stream()
                .filter(block -> block.contains("class Minimal")).findFirst().orElseThrow()
                .replace("new EventLoop(", "new EventLoop(new Options().withPort(0), ");
        assertEquals("", SourceCompiler.compile(folder, jar.toString(), 17, Map.of("Minimal", source)));
        Process server = new ProcessBuilder(image.resolve("bin/java").toString(), "--add-modules",
                "org.microhttp", "-cp", folder.toString(), "Minimal").redirectErrorStream(true).start();
        try (var client = new RawClient(Programs.port(server))) {
            assertEquals("hello world\n", client.get("/").response().text());
        } finally {
            server.destroyForcibly().waitFor();
        }
    }
}
