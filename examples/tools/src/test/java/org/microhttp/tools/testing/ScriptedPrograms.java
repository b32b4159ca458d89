package org.microhttp.tools.testing;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Programs;

/** Programs that compress and are scripts of a test, and a process that finds them alone. */
public final class ScriptedPrograms implements AfterEachCallback {

    /** Commands of a script that waits, with the half of what it will write, to be ended. */
    public static final String WAITING =
            "head -c 100 \"$file\"; echo $$ > waiting.new; mv waiting.new waiting; exec sleep 60";

    public ServerProcess process;
    private Path folder;

    /** Makes the folder of the scripts. */
    public void makeIn(Path parent) throws IOException {
        folder = Files.createDirectory(parent.resolve("programs"));
    }

    /** Writes a program of these commands, for which {@code $file} is what is to be compressed. */
    public void script(String name, String commands) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no shell");
        String text = """
                #!/bin/sh
                [ "$1" != --version ] || exit 0
                for file; do :; done
                cd '%s'
                PATH=/usr/bin:/bin
                %s
                """.formatted(folder, commands);
        Path script = Files.writeString(folder.resolve(name), text);
        assertTrue(script.toFile().setExecutable(true));
    }

    /** Starts a command in a process that finds the scripts alone, in a locale of ASCII. */
    public void start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command);
        builder.environment().put("PATH", folder.toString());
        builder.environment().put("LC_ALL", "C");
        process = new ServerProcess(builder);
    }

    /** The same up to its end; returns the exit code, and the site has what was printed. */
    public int run(List<String> command, WrittenSite site) throws Exception {
        start(command);
        site.output = process.output() + "\n";
        site.errors = process.errors().lines().map(line -> line + "\n").collect(joining());
        return process.process.waitFor();
    }

    /** A command without privileges that root has; another user has none of them. */
    public static List<String> without(String privileges, List<String> command) throws Exception {
        if (!"root".equals(System.getProperty("user.name"))) {
            return command;
        }
        List<String> user = List.of("/usr/bin/setpriv", "--bounding-set", privileges);
        boolean possible = Files.isExecutable(Path.of(user.get(0))) && new ProcessBuilder(
                Stream.concat(user.stream(), Stream.of("true")).toList()).start().waitFor() == 0;
        assumeTrue(possible, "this user may do everything");
        return Stream.concat(user.stream(), command.stream()).toList();
    }

    /** Runs a command on a terminal, and returns what it prints there. */
    public String outputOnTerminal(List<String> command) throws Exception {
        assumeTrue(Programs.isInstalled("script"), "no script");
        var builder = new ProcessBuilder("script", "-qec", String.join(" ", command), "/dev/null");
        process = new ServerProcess(builder.redirectInput(new File("/dev/null")));
        String output = process.output();
        assertTrue(process.process.waitFor() == 0, output);
        return output;
    }

    /** Waits until a script {@link #WAITING} does so, and returns its process. */
    public long awaitWaiting() throws IOException {
        Path waiting = folder.resolve("waiting");
        while (!Files.exists(waiting)) {
            assertTrue(process.process.isAlive());
            Thread.onSpinWait();
        }
        return Long.parseLong(Files.readString(waiting).strip());
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        if (process != null) {
            process.process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.process.destroyForcibly().waitFor();
        }
    }
}
