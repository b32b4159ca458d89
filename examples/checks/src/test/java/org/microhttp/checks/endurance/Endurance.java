package org.microhttp.checks.endurance;

import java.io.IOException;
import java.util.Arrays;
import org.microhttp.checks.endurance.scale.Scale;
import org.microhttp.checks.proxies.clients.RealClients;
import org.microhttp.testing.Programs;

/**
 * The program that runs for minutes: MODE [ARGUMENTS]. It ends with "kept", or with what was broken and
 * "BROKEN". Maven does not run it but in short forms:
 * <pre>
 *   examples/checks/full MODE [ARGUMENTS]
 * </pre>
 */
final class Endurance {

    /** What one mode does; it checks what has to hold. */
    private interface Mode {
        void run(Report report, String... arguments) throws Exception;
    }

    private Endurance() {
    }

    public static void main(String[] arguments) throws Exception {
        // however this ends, nothing that it started goes on
        Runtime.getRuntime().addShutdownHook(new Thread(
                () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        var report = new Report();
        mode(arguments[0]).run(report, Arrays.copyOfRange(arguments, 1, arguments.length));
        report.conclude();
    }

    private static Mode mode(String name) {
        return switch (name) {
            case "chaos" -> Chaos::run;
            case "descriptors" -> Descriptors::run;
            case "bodies" -> SlowClients::sendBodies;
            case "readers" -> SlowClients::readSlowly;
            case "memory" -> Memory::run;
            case "faults" -> FaultTable::run;
            case "soak" -> Soak::run;
            case "scale" -> Scale::run;
            case "files" -> ServedFiles::run;
            case "swaps" -> Swaps::run;
            case "frames" -> Frames::run;
            case "sockets" -> ManySockets::run;
            case "clients" -> RealClients::run;
            case "planted" -> Endurance::plant;
            default -> throw new IllegalArgumentException("no mode " + name);
        };
    }

    /** {@code [number | all] [seed]}: {@code PlantedFaultsTest} with as many faults, drawn by a seed. */
    private static void plant(Report report, String... arguments)
            throws IOException, InterruptedException {
        boolean all = arguments.length > 0 && arguments[0].equals("all");
        int number = all ? Integer.MAX_VALUE : Programs.number(arguments, 0, 30);
        Process maven = Programs.withoutJavaOptions(new ProcessBuilder("mvn", "-q", "-B", "-o", "-f",
                "examples", "-pl", "checks", "-am", "test", "-Dtest=PlantedFaultsTest",
                "-Dplanted=" + number, "-Dseed=" + Programs.number(arguments, 1, 1))).inheritIO().start();
        report.check(maven.waitFor() == 0, "planted faults", "are not all noticed");
    }
}
