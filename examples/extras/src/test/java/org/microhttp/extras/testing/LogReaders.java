package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.TimeUnit;
import org.microhttp.extras.accesslog.AccessFormat;
import org.microhttp.testing.*;

/** Has access logs read by the programs that the page of the examples names, by its own commands. */
public final class LogReaders {

    private static final int LIMIT_SECONDS = 30;

    private LogReaders() {
    }

    /** Leaves a test out where it cannot run. */
    public static void assumeInstalled(String program) {
        assumeTrue(Programs.isInstalled(program), "no " + program + ": install the package " + program);
    }

    /** What GoAccess says of a log in general: how many lines it has read, and how many of them failed. */
    public static Map<?, ?> goaccess(AccessFormat format, Path log, Path folder) throws Exception {
        String name = format == AccessFormat.JSON ? "access.json" : "access.log";
        List<String> command = command("goaccess " + name);
        Path report = folder.resolve("report.json");
        Path invalid = folder.resolve("invalid");
        Files.deleteIfExists(report);
        command.replaceAll(word -> switch (word) {
            case "access.log", "access.json" -> log.toString();
            case "report.html" -> report.toString();
            default -> word.replace("COMBINED", format.toString());
        });
        command.add("--invalid-requests=" + invalid);
        String output = run(folder, command);
        String failed = Files.exists(invalid) ? Files.readString(invalid) : "";
        assertTrue(Files.exists(report), () -> output + failed);
        // it decodes targets, so what it writes need not be of UTF-8
        Map<?, ?> all = (Map<?, ?>) JsonReader.read(Files.readString(report, ISO_8859_1));
        assertEquals("", failed);
        return (Map<?, ?>) all.get("general");
    }

    /** The rows of a query to lnav about a log, each a map. */
    public static List<?> lnav(AccessFormat format, Path log, Path folder, String query) throws Exception {
        if (format == AccessFormat.JSON) {
            run(folder, command("lnav -i "));
        }
        List<String> command = List.of("lnav", "-n", "-c", ";" + query, "-c", ":write-json-to -", "" + log);
        return (List<?>) JsonReader.read(run(folder, command));
    }

    private static List<String> command(String start) {
        List<String> commands = Readme.blocks(Readme.read(Readme.EXAMPLES), "console").stream()
                .flatMap(String::lines).filter(line -> line.startsWith("$ " + start)).toList();
        assertEquals(1, commands.size(), start);
        return new ArrayList<>(List.of(commands.get(0).substring(2).split(" ")));
    }

    /** Runs a program at the root of the project, with a folder for what it keeps; answers its output. */
    private static String run(Path home, List<String> command) throws IOException, InterruptedException {
        Path output = home.resolve("output");
        var builder = new ProcessBuilder(command).directory(Readme.ROOT.toFile())
                .redirectInput(new File("/dev/null")).redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(Map.of("HOME", home.toString(), "XDG_CONFIG_HOME", home.toString(),
                "TERM", "dumb", "TZ", "UTC"));
        Process process = builder.start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertTrue(ended, () -> command + " does not end");
        return Files.readString(output, ISO_8859_1);
    }
}
