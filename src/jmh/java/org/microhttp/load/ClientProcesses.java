package org.microhttp.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The load client in several processes, for more connections than one process may open files: starts copies
 * of itself, waits until all are connected, starts the load in all at once, and merges what they counted.
 * What ends this process in an orderly way destroys them; otherwise they end when the time is over.
 */
final class ClientProcesses {

    private final Client.Plan plan;
    private final List<Process> children = new ArrayList<>();
    private final List<BufferedReader> outputs = new ArrayList<>();
    private final ClientResult result = new ClientResult();

    ClientProcesses(Client.Plan plan) { this.plan = plan; }

    ClientResult run() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> children.forEach(Process::destroyForcibly)));
        for (int i = 0; i < plan.processes(); i++) start(i);
        for (BufferedReader output : outputs) {
            String line = output.readLine();
            boolean ready = line != null && line.startsWith("ready ");
            if (!ready) throw new IOException("a process failed: " + line);
        }
        for (Process child : children) {
            child.getOutputStream().write('\n');
            child.getOutputStream().flush();
        }
        for (BufferedReader output : outputs) output.lines().forEach(result::addLine);
        for (Process child : children) {
            int status = child.waitFor();
            if (status != 0) result.addError("a process ended with " + status);
        }
        return result;
    }

    private void start(int index) throws IOException {
        int first = (int) ((long) plan.connections() * index / plan.processes());
        int after = (int) ((long) plan.connections() * (index + 1) / plan.processes());
        String java = System.getProperty("java.home") + "/bin/java";
        Process child = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"),
                Client.class.getName(), plan.host(), "" + plan.port(), "" + (after - first),
                "" + plan.millis(),
                "--pipeline", "" + plan.pipeline(), "--sources", "" + plan.sources(),
                "--first-source", "" + (plan.firstSource() + index * plan.sources()),
                "--warmup", "" + plan.warmup(), "--child", "yes")
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        children.add(child);
        var output = new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8);
        outputs.add(new BufferedReader(output));
    }
}
