package org.microhttp.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.tools.ExampleProcess;
import org.microhttp.tools.Programs;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.Readme;
import org.microhttp.tools.SourceCompiler;
import org.microhttp.tools.Tier;

/** Does what {@code examples/README.md} says: its commands are there, and its tool does what is shown. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Gate
final class ExamplesReadmeTest {

    private static final String PAGE = Readme.read(Readme.EXAMPLES);
    private static final String TOOL = "greetingserver.GreetingServer";

    @TempDir
    private Path folder;
    private final List<ExampleProcess> started = new ArrayList<>();

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (ExampleProcess process : started) {
            process.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void commandsRunProgramsThatThereAre() throws Exception {
        List<String> commands = Readme.blocks(PAGE, "bash").stream().flatMap(String::lines).toList();
        assertEquals(4, commands.size());
        for (String command : commands) {
            String[] words = command.split(" ");
            assertTrue(Files.isExecutable(Readme.ROOT.resolve(words[0])), command);
            assertTrue(PAGE.contains("\n| [" + words[1] + "]("), command);
        }
    }

    @Test
    void eachClassThatToolsShareIsNamedInTheCommentOfItsPackage() {
        for (Path file : Readme.sources("examples/shared")) {
            String name = Readme.name(file);
            String comment = Readme.read(file.resolveSibling("package-info.java"));
            Pattern mark = Pattern.compile("\\{@(code|link) (\\w+\\.)?" + name + "}");
            boolean named = mark.matcher(comment).find();
            assertTrue(named || name.equals("package-info"), name);
        }
    }

    /** What is shown begins with a command, and what it prints; the first one ends by itself. */
    @Test
    void theToolDoesAsShown() throws Exception {
        compile("GreetingServer");
        String shown = Readme.blocks(PAGE, "console").stream()
                .filter(block -> block.contains("run GreetingServer ")).findFirst().orElseThrow();
        String[] exchanges = shown.substring(2).split("\\$ ");
        assertEquals(2, exchanges.length);
        ExampleProcess refused = start(exchanges[0]);
        assertEquals(printed(exchanges[0]), refused.errors() + "\n");
        assertEquals(2, refused.process.waitFor());
        ExampleProcess serving = start(exchanges[1].replace("--port 3000", "--port 0")).listening();
        try (var client = new RawClient(serving.port)) {
            assertEquals("hello Ada\nhello Ada\n", client.get("/").response().text());
        }
        serving.terminate();
        assertEquals(printed(exchanges[1]), "listening on *:3000\n" + serving.output() + "\n");
    }

    private static String printed(String exchange) {
        return exchange.substring(exchange.indexOf('\n') + 1);
    }

    @Test
    void theLoggerOfTheAccessLogIsUsedAsShown() throws Exception {
        compile("LoggedServer");
    }

    /** A page names the folders to copy; they need the library alone. */
    @ParameterizedTest
    @CsvSource({"examples/README.md, SiteServer", "examples/tools/sitearchive/README.md, ArchiveServer"})
    void theFoldersOfAHandlerAreEnough(String page, String program) throws Exception {
        String text = Readme.read(Readme.ROOT.resolve(page));
        Pattern folders = Pattern.compile("[Cc]opy the folders ((?:`[\\w/]+`[,\\s]*(?:and\\s)?)+)");
        Matcher named = folders.matcher(text);
        assertTrue(named.find());
        Map<String, String> sources = new HashMap<>();
        for (String name : named.group(1).replaceAll("[^\\w/\\s]|\\band\\b", "").split("\\s+")) {
            List<Path> files = Readme.sources("examples/" + name);
            assertTrue(!files.isEmpty(), name);
            files.forEach(file -> sources.put(Readme.name(file), Readme.read(file)));
        }
        sources.put(program, source(text, program));
        compileWithTheLibraryAlone(sources);
    }

    /** A short program uses no tool and nothing that tools share, and what tools share uses no tool. */
    @ParameterizedTest
    @ValueSource(strings = {"short", "shared"})
    void aShelfNeedsTheLibraryAlone(String shelf) throws Exception {
        Map<String, String> sources = new HashMap<>();
        for (Path file : Readme.sources("examples/" + shelf)) {
            sources.put(Readme.name(file), Readme.read(file));
        }
        assertTrue(!sources.isEmpty());
        compileWithTheLibraryAlone(sources);
    }

    private void compileWithTheLibraryAlone(Map<String, String> sources) throws Exception {
        // those of several folders have one name
        sources.remove("package-info");
        Path library = Path.of(EventLoop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertEquals("", SourceCompiler.compile(folder, library.toString(), 17, sources));
    }

    private static String source(String page, String name) {
        return Readme.blocks(page, "java").stream()
                .filter(block -> block.contains("class " + name)).findFirst().orElseThrow();
    }

    private void compile(String name) throws Exception {
        String source = source(PAGE, name);
        String path = System.getProperty("java.class.path");
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of(name, source)), source);
    }

    private ExampleProcess start(String exchange) throws Exception {
        String command = exchange.lines().findFirst().orElseThrow();
        assertTrue(command.startsWith("examples/run GreetingServer "), command);
        String path = System.getProperty("java.class.path") + File.pathSeparator + folder;
        List<String> words = new ArrayList<>(List.of(Programs.JAVA, "-cp", path, TOOL));
        words.addAll(List.of(command.split(" ")).subList(2, command.split(" ").length));
        var program = new ExampleProcess(new ProcessBuilder(words));
        started.add(program);
        return program;
    }
}
