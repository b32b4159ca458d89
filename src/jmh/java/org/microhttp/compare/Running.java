package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.PinnedServer;

/** A server that runs, pinned to its CPUs, and a proxy for it once TLS is asked for. */
final class Running {

    final Server server;

    /** The kinds of cases that it is warm for. */
    final Set<Object> warm = new HashSet<>();

    private final Plan plan;
    private final Map<String, String> values;
    private final String cpus;
    final PinnedServer process;
    private PinnedServer proxy;

    /** Starts it, and waits until it listens. */
    Running(Server server, Case asked, Plan plan) throws IOException {
        this.server = server;
        this.plan = plan;
        values = plan.comparison().values(plan, server, asked);
        cpus = plan.cpus(asked).serverList();
        process = start(server.name(), server.command(), values);
    }

    /** Fills the configuration of this name, if there is one, into its own folder. */
    private PinnedServer start(String name, String command, Map<String, String> values) throws IOException {
        int port = PinnedServer.freePort();
        Path folder = Files.createTempDirectory(name);
        Path configuration = plan.project().resolve("src/jmh/servers/" + name + ".conf");
        Map<String, String> all = new HashMap<>(values);
        all.putAll(Map.of("FOLDER", "" + folder, "PORT", "" + port,
                "CLASSES", System.getProperty("java.class.path")));
        if (Files.exists(configuration)) {
            Files.writeString(folder.resolve(name + ".conf"),
                    Programs.filled(Files.readString(configuration), all));
        }
        return new PinnedServer(Programs.command(command, all), folder, port, cpus, plan.secondsAtMost());
    }

    /** {@return whether this process is what a server needs in a case} */
    boolean fits(Server other, Case asked) {
        return process.isAlive() && server.equals(other) && cpus.equals(plan.cpus(asked).serverList())
                && values.equals(plan.comparison().values(plan, other, asked));
    }

    /** {@return where a load generator finds it; the proxy is started when it is needed first} */
    String url(Case asked) throws IOException {
        if (!asked.isTls()) return "http://127.0.0.1:" + process.port();
        if (proxy == null) {
            String certificate = "" + plan.temporary().resolve("certificate.pem");
            proxy = start("tls", "haproxy -db -q -f FOLDER/tls.conf",
                    Map.of("BEHIND", "" + process.port(), "CERTIFICATE", certificate));
        }
        return "https://127.0.0.1:" + proxy.port();
    }

    CpuTime proxyTime() throws IOException { return proxy == null ? new CpuTime(0, 0) : proxy.time(); }

    CpuTime allTime() throws IOException { return process.time().plus(proxyTime()); }

    void end() {
        if (proxy != null) proxy.end();
        process.end();
    }
}
