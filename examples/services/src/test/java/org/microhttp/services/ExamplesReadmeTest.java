package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.*;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.EventLoop;
import org.microhttp.extras.events.EventStream;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** Does what the pages of examples and tools say: commands are there, and the tool does what is shown. */
@Tier.Program
final class ExamplesReadmeTest {

    private static final String PAGE = Readme.read(Readme.EXAMPLES);
    private static final String TOOLS = Readme.read(Readme.ROOT.resolve("examples/tools/README.md"));
    private static final String TOOL = "greetingserver.GreetingServer";

    @RegisterExtension
    final ToolProcesses processes = new ToolProcesses();

    @TempDir
    private Path folder;

    @Test
    void commandsRunProgramsThatThereAre() throws Exception {
        List<String> commands = Readme.blocks(PAGE, "bash").stream().flatMap(String::lines)
                .filter(line -> line.startsWith("examples/")).toList();
        assertFalse(commands.isEmpty());
        for (String command : commands) {
            String[] words = command.split(" ");
            assertTrue(Files.isExecutable(Readme.ROOT.resolve(words[0])), command);
            assertTrue(PAGE.contains("\n| [" + words[1] + "]("), command);
        }
    }

    @Test
    void eachClassThatToolsShareIsNamedInTheCommentOfItsPackage() {
        for (Path file : Readme.sources("examples/extras/src/main/java")) {
            String name = Readme.name(file);
            if (name.equals("module-info")) continue;
            String comment = Readme.read(file.resolveSibling("package-info.java"));
            Pattern mark = Pattern.compile("\\{@(code|link)[\\s*]+([\\w.]+\\.)?" + name + "}");
            boolean named = mark.matcher(comment).find();
            assertTrue(named || name.endsWith("-info"), () -> name + " is not in the comment of its"
                    + " package, which is the list of what is there: add its name.");
        }
    }

    /** What is shown begins with a command, and what it prints; the first one ends by itself. */
    @Test
    void theToolDoesAsShown() throws Exception {
        compile("GreetingServer");
        String shown = Readme.blocks(TOOLS, "console").stream()
                .filter(block -> block.contains("run GreetingServer ")).findFirst().orElseThrow();
        String[] exchanges = shown.substring(2).split("\\$ ");
        assertEquals(2, exchanges.length);
        ServerProcess refused = start(exchanges[0]);
        assertEquals(printed(exchanges[0]), refused.errors() + "\n");
        assertEquals(2, refused.process.waitFor());
        ServerProcess serving = start(exchanges[1].replace("--port 3000", "--port 0")).listening();
        try (var client = new RawClient(serving.port)) {
            assertEquals("hello Ada\nhello Ada\n", client.get("/").response().text());
        }
        serving.terminate();
        assertEquals(printed(exchanges[1]), "listening on *:3000\n" + serving.output() + "\n");
    }

    private static String printed(String exchange) {
        return exchange.substring(exchange.indexOf('\n') + 1);
    }

    /** A short program uses no tool. */
    @Test
    void aShortProgramNeedsTheLibraryAndExtras() throws Exception {
        Map<String, String> sources = sources("services/src/main/java");
        sources.values().removeIf(source -> source.startsWith("package ") || source.contains("\npackage "));
        String path = Programs.location(EventLoop.class) + File.pathSeparator
                + Programs.location(EventStream.class);
        assertEquals("", SourceCompiler.compile(folder, path, 17, sources));
    }

    @Test
    void anAccessLogNeedsTheLibraryAlone() throws Exception {
        Map<String, String> sources = sources("extras/src/main/java/org/microhttp/extras/accesslog");
        compileWithTheLibraryAlone(sources);
    }

    @Test
    void webSocketsNeedTheLibraryAlone() throws Exception {
        Map<String, String> sources = sources("extras/src/main/java/org/microhttp/extras/websocket");
        compileWithTheLibraryAlone(sources);
    }

    @Test
    void theFolderOfTlsIsEnough() throws Exception {
        Map<String, String> sources = sources("extras/src/main/java/org/microhttp/extras/tls");
        sources.put("SecureServer", source(Readme.read(Readme.ROOT.resolve("examples/extras/TLS.md")),
                "SecureServer"));
        compileWithTheLibraryAlone(sources);
    }

    /** Without the comments of packages, which have one name in all folders. */
    private static Map<String, String> sources(String folder) {
        Map<String, String> sources = Readme.sources("examples/" + folder).stream()
                .filter(file -> !Readme.name(file).equals("package-info"))
                .collect(Collectors.toMap(Readme::name, Readme::read));
        assertFalse(sources.isEmpty(), folder);
        return sources;
    }

    private void compileWithTheLibraryAlone(Map<String, String> sources) throws Exception {
        Path library = Path.of(EventLoop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertEquals("", SourceCompiler.compile(folder, library.toString(), 17, sources), "People copy these"
                + " files: they need the library and each other, and nothing of other folders.");
    }

    private static String source(String page, String name) {
        return Readme.blocks(page, "java").stream()
                .filter(block -> block.contains("class " + name)).findFirst().orElseThrow();
    }

    private void compile(String name) throws Exception {
        String source = source(TOOLS, name);
        String path = System.getProperty("java.class.path");
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of(name, source)), source);
    }

    private ServerProcess start(String exchange) throws Exception {
        String command = exchange.lines().findFirst().orElseThrow();
        assertTrue(command.startsWith("examples/run GreetingServer "), command);
        String path = System.getProperty("java.class.path") + File.pathSeparator + folder;
        String flags = command.replaceFirst("\\S+ \\S+ ", "");
        return processes.bash("-c", "exec " + Programs.JAVA + " -cp " + path + " " + TOOL + " " + flags);
    }
}
