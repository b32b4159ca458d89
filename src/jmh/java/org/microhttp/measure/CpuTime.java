package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** CPU time in seconds, as the kernel counts it, in hundredths: in user mode, and in the kernel. */
public record CpuTime(double user, double system) {

    /** What the kernel calls a tick towards programs (USER_HZ): it is 100 wherever Linux runs a JDK. */
    private static final double TICKS = 100;

    /** Places in /proc/PID/stat after the name: of the process, and of its children that have ended. */
    private static final int USER = 11, ENDED_USER = 13;

    public double total() { return user + system; }

    public CpuTime minus(CpuTime other) { return new CpuTime(user - other.user, system - other.system); }

    /** Of a process and all that it started and that still run. */
    public static CpuTime of(Process process) throws IOException {
        double user = 0, system = 0;
        for (ProcessHandle one : Children.family(process)) {
            CpuTime time = read("/proc/" + one.pid() + "/stat", USER);
            user += time.user;
            system += time.system;
        }
        return new CpuTime(user, system);
    }

    /** Of this program's children that have ended, and theirs. */
    public static CpuTime ofEnded() throws IOException { return read("/proc/self/stat", ENDED_USER); }

    /** Of everything on the machine; idling and waiting are not counted. */
    public static CpuTime ofMachine() throws IOException {
        // cpu user nice system idle iowait irq softirq
        String first = Files.readString(Path.of("/proc/stat")).lines().findFirst().orElseThrow();
        String[] fields = first.split(" +");
        return new CpuTime(seconds(fields[1]) + seconds(fields[2]),
                seconds(fields[3]) + seconds(fields[6]) + seconds(fields[7]));
    }

    private static CpuTime read(String file, int place) throws IOException {
        try {
            String stat = Files.readString(Path.of(file));
            // the name is in parentheses, and may have any character itself
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return new CpuTime(seconds(fields[place]), seconds(fields[place + 1]));
        } catch (NoSuchFileException e) {
            return new CpuTime(0, 0);
        }
    }

    private static double seconds(String ticks) { return Long.parseLong(ticks) / TICKS; }
}
