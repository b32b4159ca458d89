package org.microhttp.examples;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.examples.tools.ResponseServerProcesses;
import org.microhttp.tools.*;

/** Does what {@code examples/README.md} says: its commands are there, and its tool does what is shown. */
@Tier.Program
final class ExamplesReadmeTest {

    private static final String PAGE = Readme.read(Readme.EXAMPLES);
    private static final String TOOL = "greetingserver.GreetingServer";

    @RegisterExtension
    final ResponseServerProcesses processes = new ResponseServerProcesses();

    @TempDir
    private Path folder;

    @Test
    void commandsRunProgramsThatThereAre() throws Exception {
        List<String> commands = Readme.blocks(PAGE, "bash").stream().flatMap(String::lines).toList();
        assertFalse(commands.isEmpty());
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
            assertTrue(named || name.equals("package-info"), () -> name + " is not in the comment of its"
                    + " package, which is the list of what is there: add its name.");
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

    /** The section of a handler names the folders to copy for it; they need the library alone. */
    @ParameterizedTest
    @CsvSource({"examples/README.md, SiteServer", "examples/tools/sitearchive/README.md, ArchiveServer"})
    void theFoldersOfAHandlerAreEnough(String page, String program) throws Exception {
        String text = Readme.read(Readme.ROOT.resolve(page));
        String section = text.substring(0, text.indexOf("class " + program)).replaceAll("(?s).*\n#+ ", "");
        Map<String, String> sources = new HashMap<>(Map.of(program, source(text, program)));
        Pattern.compile("`(tools/\\w+|shared)`").matcher(section).results()
                .forEach(folder -> sources.putAll(sources(folder.group(1))));
        compileWithTheLibraryAlone(sources);
    }

    /** The table above the service names the folders of {@code shared}, and one file of another. */
    @Test
    void whatAServiceIsToldToCopyIsEnough() throws Exception {
        String rows = Readme.table(PAGE, "you need").stream().limit(3).map(row -> row.get(1)).toList() + "";
        Map<String, String> sources = new HashMap<>(Map.of("PhotoService", source(PAGE, "PhotoService")));
        for (String folder : List.of("routing", "json", "multipart")) {
            assertTrue(rows.contains(folder), rows);
            sources.putAll(sources("shared/" + folder));
        }
        assertTrue(rows.contains("UrlDecoding.java of representation"), rows);
        sources.put("UrlDecoding", sources("shared/representation").get("UrlDecoding"));
        compileWithTheLibraryAlone(sources);
    }

    /** A short program uses no tool and nothing that tools share, and what tools share uses no tool. */
    @ParameterizedTest
    @ValueSource(strings = {"short", "shared"})
    void aShelfNeedsTheLibraryAlone(String shelf) throws Exception {
        compileWithTheLibraryAlone(sources(shelf));
    }

    @Test
    void anAccessLogNeedsTheLibraryAlone() throws Exception {
        Map<String, String> sources = sources("shared/accesslog");
        sources.remove("LogFlags");
        compileWithTheLibraryAlone(sources);
    }

    @Test
    void webSocketsNeedTheLibraryAlone() throws Exception {
        Map<String, String> sources = sources("shared/websocket");
        sources.put("SocketServer", source(PAGE, "SocketServer"));
        compileWithTheLibraryAlone(sources);
    }

    @Test
    void theFolderOfTlsIsEnough() throws Exception {
        Map<String, String> sources = sources("shared/tls");
        sources.put("SecureServer", source(Readme.read(Readme.ROOT.resolve("examples/shared/tls/README.md")),
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
        String source = source(PAGE, name);
        String path = System.getProperty("java.class.path");
        assertEquals("", SourceCompiler.compile(folder, path, 17, Map.of(name, source)), source);
    }

    private ExampleProcess start(String exchange) throws Exception {
        String command = exchange.lines().findFirst().orElseThrow();
        assertTrue(command.startsWith("examples/run GreetingServer "), command);
        String path = System.getProperty("java.class.path") + File.pathSeparator + folder;
        String flags = command.replaceFirst("\\S+ \\S+ ", "");
        return processes.bash("-c", "exec " + Programs.JAVA + " -cp " + path + " " + TOOL + " " + flags);
    }
}
