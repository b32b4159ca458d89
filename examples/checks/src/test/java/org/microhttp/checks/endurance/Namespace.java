package org.microhttp.checks.endurance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;

/**
 * A network of its own, where packets can be dropped and delayed: a namespace, in which a program runs again
 * with all that it starts. Nothing outside changes.
 */
public final class Namespace {

    /** From here those come whose packets are dropped once they have connected. */
    static final String VANISHING = "127.0.0.9";

    /** As many files as a process may open on the machines we know. */
    static final int MOST_FILES = 20_000;

    private static final String INSIDE = "microhttp.namespace";

    /** More ports than there are else, as those of clients that the server has closed rest for a minute. */
    private static final String PREPARED = "ip link set lo up; "
            + "echo 1024 65535 > /proc/sys/net/ipv4/ip_local_port_range; "
            + "echo 16384 > /proc/sys/net/core/somaxconn; nft add table inet faults; "
            + "nft 'add chain inet faults in { type filter hook input priority 0; }'; exec \"$@\"";

    private Namespace() {
    }

    /** Whether this program was started by {@link #run}. */
    static boolean isInside() {
        return Boolean.getBoolean(INSIDE);
    }

    public static boolean isPossible() throws IOException, InterruptedException {
        String path = Programs.PATH + ":/usr/sbin:/sbin";
        return Programs.isInstalled("unshare") && call("PATH=" + path + " unshare -rn bash -c "
                + "'ip link set lo up && nft add table inet faults' > /dev/null 2>&1");
    }

    /** Tries faults in it, and gives the exit status. */
    static int run(String... arguments) throws IOException, InterruptedException {
        return start(arguments).inheritIO().start().waitFor();
    }

    /** {@link FaultTable}, in it. */
    static ProcessBuilder start(String... arguments) {
        var command = new ArrayList<String>(List.of("unshare", "-rn", "bash", "-c", PREPARED, "namespace",
                Programs.JAVA, "-D" + INSIDE + "=true", "-cp", ServerProcess.classPath(),
                Endurance.class.getName(), "faults"));
        command.addAll(List.of(arguments));
        var builder = Programs.withoutJavaOptions(new ProcessBuilder(command));
        builder.environment().put("PATH", Programs.PATH + ":/usr/sbin:/sbin");
        return builder;
    }

    /** From now on no packet comes from there, and none arrives. */
    static void dropVanishing() throws IOException, InterruptedException {
        rule("ip saddr " + VANISHING + " drop");
        rule("ip daddr " + VANISHING + " drop");
    }

    /** Drops that share of all packets which come by a device. */
    static void dropSome(String device, int percent) throws IOException, InterruptedException {
        rule("iifname " + device + " numgen random mod 100 < " + percent + " drop");
    }

    /** Drops nothing any more. */
    static void dropNothing() throws IOException, InterruptedException {
        check("nft flush chain inet faults in");
    }

    private static void rule(String rule) throws IOException, InterruptedException {
        check("nft 'add rule inet faults in " + rule + "'");
    }

    private static void check(String command) throws IOException, InterruptedException {
        if (!call(command)) {
            throw new IOException("failed: " + command);
        }
    }

    static boolean call(String command) throws IOException, InterruptedException {
        return new ProcessBuilder("bash", "-c", command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }
}
