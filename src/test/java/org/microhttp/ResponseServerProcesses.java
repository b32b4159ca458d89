package org.microhttp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The processes of a test that run the example {@code ResponseServer}. */
final class ResponseServerProcesses {

    private static final String MAIN = "responseserver.ResponseServer";

    private final List<ExampleProcess> started = new ArrayList<>();

    /** Starts it with just these flags. */
    ExampleProcess start(String... flags) throws IOException {
        return add(ExampleProcess.start(MAIN, flags));
    }

    /** Starts it by a command for the shell, in which {@code $0} is the program with Java and class path. */
    ExampleProcess shell(String command) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String program = "'" + java + "' -cp '" + System.getProperty("java.class.path") + "' " + MAIN;
        return add(new ExampleProcess(new ProcessBuilder("/bin/sh", "-c", command.replace("$0", program))));
    }

    private ExampleProcess add(ExampleProcess process) {
        started.add(process);
        return process;
    }

    /** Starts it with these flags on a free port of 127.0.0.1, and waits until it listens. */
    ExampleProcess serve(String... flags) throws IOException {
        Stream<String> here = Stream.of("--address", "127.0.0.1", "--port", "0");
        return start(Stream.concat(here, Stream.of(flags)).toArray(String[]::new)).listening();
    }

    /** A connection to the one that was started last. */
    RawClient connect() throws IOException {
        return new RawClient(started.get(started.size() - 1).port);
    }

    void end() throws InterruptedException {
        for (ExampleProcess process : started) {
            process.process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.process.destroyForcibly().waitFor();
        }
    }
}
