package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** CPU time in seconds, as the kernel counts it, in hundredths: in user mode, and in the kernel. */
public record CpuTime(double user, double system) {

    /** What the kernel calls a tick towards programs (USER_HZ): it is 100 wherever Linux runs a JDK. */
    private static final double TICKS = 100;

    /** Places in /proc/PID/stat after the name: of the process, and of its children that have ended. */
    private static final int USER = 11, ENDED_USER = 13;

    /** How HotSpot names them. */
    private static final String COMPILER = "C[12] Compiler";

    public double total() { return user + system; }

    public CpuTime plus(CpuTime other) { return new CpuTime(user + other.user, system + other.system); }

    public CpuTime minus(CpuTime other) { return new CpuTime(user - other.user, system - other.system); }

    /** Of a process and all that it started and that still run. */
    public static CpuTime of(Process process) throws IOException {
        CpuTime all = new CpuTime(0, 0);
        for (ProcessHandle one : Children.family(process)) {
            all = all.plus(read(Path.of("/proc/" + one.pid() + "/stat"), USER, ""));
        }
        return all;
    }

    /** Of the threads that compile in a process that is a JVM; those that have ended are not counted. */
    public static CpuTime ofCompilers(Process process) throws IOException {
        CpuTime all = new CpuTime(0, 0);
        for (ProcessHandle one : Children.family(process)) {
            for (Path thread : threads(one.pid())) {
                all = all.plus(read(thread.resolve("stat"), USER, COMPILER));
            }
        }
        return all;
    }

    private static List<Path> threads(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Of this program's children that have ended, and theirs. */
    public static CpuTime ofEnded() throws IOException {
        return read(Path.of("/proc/self/stat"), ENDED_USER, "");
    }

    /** Of everything on the machine; idling and waiting are not counted. */
    public static CpuTime ofMachine() throws IOException {
        // cpu user nice system idle iowait irq softirq
        String first = Files.readString(Path.of("/proc/stat")).lines().findFirst().orElseThrow();
        String[] fields = first.split(" +");
        return new CpuTime(seconds(fields[1]) + seconds(fields[2]),
                seconds(fields[3]) + seconds(fields[6]) + seconds(fields[7]));
    }

    /** Nothing if it has ended, or its name begins otherwise. */
    private static CpuTime read(Path file, int place, String name) throws IOException {
        try {
            String stat = Files.readString(file);
            if (!stat.substring(stat.indexOf('(') + 1).matches(name + "(?s).*")) return new CpuTime(0, 0);
            // the name is in parentheses, and may have any character itself
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new CpuTime(seconds(fields[place]), seconds(fields[place + 1]));
        } catch (NoSuchFileException e) {
            return new CpuTime(0, 0);
        }
    }

    private static double seconds(String ticks) { return Long.parseLong(ticks) / TICKS; }
}
