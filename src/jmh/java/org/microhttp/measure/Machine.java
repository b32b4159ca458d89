package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What this machine has for a measurement. */
public final class Machine {

    private Machine() { }

    /** The java of the JVM that this runs on. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The CPUs that this process may use, out of a list like 0-3,8. */
    public static List<String> cpus() throws IOException {
        String list = Files.readString(Path.of("/proc/self/status")).lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:")).findFirst().orElseThrow();
        return Arrays.stream(list.split("\\s+")[1].split(",")).flatMap(range -> {
            String[] ends = range.split("-");
            int first = Integer.parseInt(ends[0]), last = Integer.parseInt(ends[ends.length - 1]);
            return IntStream.rangeClosed(first, last).mapToObj(cpu -> "" + cpu);
        }).toList();
    }
}
