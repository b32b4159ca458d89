package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a figure means nothing without. As a program it prints that: the lines that begin a result file. */
public final class Machine {

    private Machine() { }

    public static void main(String[] args) {
        facts(args[0]).forEach((key, value) -> System.out.println("# " + key + ": " + value));
    }

    public static Map<String, String> facts(String project) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString().replace(":00Z", "Z"));
        facts.put("commit", find("[0-9A-Za-z.-]+", "git", "-C", project, "describe", "--always", "--dirty"));
        facts.put("machine", model() + ", " + Runtime.getRuntime().availableProcessors() + " processors");
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        return facts;
    }

    /** The java of the JVM that this runs on. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The version that a program prints with -v, on whichever of its outputs. */
    public static String version(String program) { return version(program, "-v"); }

    /** The version that a program prints with a flag of its own. */
    public static String version(String program, String flag) {
        return find("[0-9]+([.][0-9]+)+", program, flag);
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

    private static String find(String pattern, String... command) {
        try {
            return Pattern.compile(pattern).matcher(Children.run(List.of(command), 10)).results().findFirst()
                    .map(MatchResult::group).orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String model() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name")).findFirst()
                    .map(line -> line.replaceFirst("[^:]*: *", "")).orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }
}
