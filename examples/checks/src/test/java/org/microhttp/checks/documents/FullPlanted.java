package org.microhttp.checks.documents;

import org.microhttp.testing.Programs;

/**
 * Faults planted in the library, which the tests that the page on conformance names have to notice: runs
 * {@link PlantedFaultsTest} with as many as are asked for, drawn by a seed. Not run by Maven, which it uses:
 * <pre>
 *   examples/checks/full FullPlanted [NUMBER | all] [SEED]
 * </pre>
 */
final class FullPlanted {

    private FullPlanted() {
    }

    public static void main(String[] arguments) throws Exception {
        boolean all = arguments.length > 0 && arguments[0].equals("all");
        int number = all ? Integer.MAX_VALUE : Programs.number(arguments, 0, 30);
        Process maven = Programs.withoutJavaOptions(new ProcessBuilder("mvn", "-q", "-B", "-o", "-f",
                "examples", "-pl", "checks", "-am", "test",
                "-Dtest=" + PlantedFaultsTest.class.getSimpleName(),
                "-Dplanted=" + number, "-Dseed=" + Programs.number(arguments, 1, 1))).inheritIO().start();
        int status = maven.waitFor();
        System.out.println(status == 0 ? "kept" : "BROKEN");
        System.exit(status);
    }
}
