package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Programs;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.Readme;
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
        Optional<ToolProvider> jlink = ToolProvider.findFirst("jlink");
        assumeTrue(jlink.isPresent(), "this JDK makes no images");
        Matcher command = Pattern.compile("(?m)^jlink (.*)$").matcher(PAGE);
        assertTrue(command.find());
        Path image = folder.resolve("image");
        String[] flags = command.group(1).replace("target/" + jar.getFileName(), jar.toString())
                .replace("--output image", "--output " + image).split(" ");
        assertEquals(0, jlink.get().run(new PrintWriter(System.out), new PrintWriter(System.err), flags));
        assertTrue(size(image) < 80_000_000, size(image) + " bytes");
        assertEquals("hello world\n", answer(image));
    }

    private static long size(Path image) throws IOException {
        try (Stream<Path> files = Files.walk(image)) {
            return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
        }
    }

    /** What the README's program answers when this image runs it, at a free port. */
    private String answer(Path image) throws IOException, InterruptedException {
        String source = Readme.blocks("java").stream().filter(block -> block.contains("class Minimal "))
                .findFirst().orElseThrow()
                .replace("new EventLoop(", "new EventLoop(new Options().withPort(0), ");
        Files.writeString(folder.resolve("Minimal.java"), source);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        assertEquals(0, javac.run(System.out, System.err, "-p", jar.toString(), "--add-modules",
                "org.microhttp", "-d", folder.toString(), folder.resolve("Minimal.java").toString()));
        Process server = new ProcessBuilder(List.of(image.resolve("bin/java").toString(), "--add-modules",
                "org.microhttp", "-cp", folder.toString(), "Minimal")).redirectErrorStream(true).start();
        try (var client = new RawClient(Programs.port(server))) {
            return client.get("/").response().text();
        } finally {
            server.destroyForcibly().waitFor();
        }
    }
}
