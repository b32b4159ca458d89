package org.microhttp.proxies.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.microhttp.tools.ServerProcess;

/** Servers of a loop each, in a few processes, which keep their ports when they are restarted. */
public final class ManyServers implements AutoCloseable {

    private static final int LIMIT_SECONDS = 60;

    private final String[] settings;
    private final List<ServerProcess> processes = new ArrayList<>();
    private final List<List<Integer>> ports = new ArrayList<>();

    /** @param settings what each JVM is given, as in {@code -DmaxRequests=500} */
    public ManyServers(int processCount, int perProcess, String... settings) throws IOException {
        this.settings = settings;
        try {
            for (int i = 0; i < processCount; i++) {
                ServerProcess process = start(Collections.nCopies(perProcess, 0));
                processes.add(process);
                ports.add(numbers(process.ask("ports")).map(Long::intValue).toList());
            }
        } catch (Throwable t) {
            close();
            throw t;
        }
    }

    private ServerProcess start(List<Integer> wanted) throws IOException {
        String words = wanted.stream().map(port -> "" + port).collect(Collectors.joining(" "));
        Stream<String> own = Stream.of("-Xmx128m", "-Dports=" + words);
        String[] options = Stream.concat(own, Stream.of(settings)).toArray(String[]::new);
        return new ServerProcess("ulimit -n 20000", ServersProgram.class.getName(), options);
    }

    private static Stream<Long> numbers(String line) {
        return Stream.of(line.split(" ")).map(Long::valueOf);
    }

    /** Those of the first process first. */
    public List<Integer> ports() {
        return ports.stream().flatMap(List::stream).toList();
    }

    /** How many processes there are. */
    public int processes() {
        return processes.size();
    }

    /** How many servers there are in each process. */
    public int perProcess() {
        return ports.get(0).size();
    }

    /** What each has answered since its process was started, without the health checks. */
    public List<Long> answered() throws IOException {
        var answered = new ArrayList<Long>();
        for (ServerProcess process : processes) {
            numbers(process.ask("answered")).forEach(answered::add);
        }
        return answered;
    }

    /** Restarts the server of this number in its process; returns how many requests were dropped. */
    public int restart(int process, int server) throws IOException {
        return Integer.parseInt(processes.get(process).ask("restart " + server));
    }

    /** Has the servers of a process say to who asks for their health that they are leaving. */
    public void unready(int process) throws IOException {
        processes.get(process).ask("unready");
    }

    /** Ends a process with all its servers at once, and starts it again; returns likewise. */
    public int restartProcess(int index) throws IOException, InterruptedException {
        ServerProcess old = processes.get(index);
        int dropped = Integer.parseInt(old.ask("leave"));
        if (!old.process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("a process does not end");
        }
        processes.set(index, start(ports.get(index)));
        return dropped;
    }

    @Override
    public void close() {
        processes.forEach(ServerProcess::close);
    }
}
