package org.microhttp.tools.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.microhttp.testing.*;

/** The processes of a test, which run one tool, by default {@code ResponseServer}; they end with it. */
public final class ToolProcesses implements AfterEachCallback {

    private static final Path BASH = Path.of("/bin/bash");

    private final List<ServerProcess> started = new ArrayList<>();
    private final String main;

    public ToolProcesses() {
        this("org.microhttp.tools.responseserver.ResponseServer");
    }

    public ToolProcesses(String main) {
        this.main = main;
    }

    /** Starts it with just these flags. */
    public ServerProcess start(String... flags) throws IOException {
        return add(ServerProcess.start(before(flags, main)));
    }

    /** Starts it with a flag for the JVM, too. */
    public ServerProcess startJvm(String jvmFlag, String... flags) throws IOException {
        return add(ServerProcess.start(before(flags, jvmFlag, main)));
    }

    /** Starts it by a command for the shell, in which {@code $0} is the program with Java and class path. */
    public ServerProcess shell(String command) throws IOException {
        String path = System.getProperty("java.class.path");
        String program = "'" + Programs.JAVA + "' " + String.join(" ", Programs.SHORT) + " -cp '" + path
                + "' " + main;
        return add(new ServerProcess(new ProcessBuilder("/bin/sh", "-c", command.replace("$0", program))));
    }

    /** Starts bash with these words in the project's folder, with the Java of this JVM. */
    public ServerProcess bash(String... words) throws IOException {
        assumeTrue(Files.isExecutable(BASH), "no bash");
        var builder = new ProcessBuilder(before(words, BASH.toString())).directory(Readme.ROOT.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return add(new ServerProcess(builder));
    }

    /** Has this process end with the test, too. */
    public ServerProcess add(ServerProcess process) {
        started.add(process);
        return process;
    }

    /** Starts it with these flags on a free port of 127.0.0.1, and waits until it listens. */
    public ServerProcess serve(String... flags) throws IOException {
        return start(before(flags, "--address", "127.0.0.1", "--port", "0")).listening();
    }

    private static String[] before(String[] flags, String... first) {
        return Stream.concat(Stream.of(first), Stream.of(flags)).toArray(String[]::new);
    }

    /** A connection to the one that was started last. */
    public RawClient connect() throws IOException {
        return new RawClient(started.get(started.size() - 1).port);
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        for (ServerProcess process : started) {
            process.process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.process.destroyForcibly().waitFor();
        }
    }
}
