package org.microhttp.tools.sitearchive;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import jdk.jfr.Recording;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.ChildProcess;

/**
 * Recordings of the JDK's flight recorder, which writes them when the JVM ends. The program {@code jfr} of
 * the JDK, or Mission Control, reads them.
 */
final class Profile {

    /** Has a recording say itself what is recorded. */
    private static final String SETTINGS = "jdk.ActiveSetting#enabled";

    /** Where threads are, a hundred times a second. */
    static final Map<String, String> CPU = Map.of(
            SETTINGS, "true",
            "jdk.ExecutionSample#enabled", "true",
            "jdk.ExecutionSample#period", "10 ms",
            "jdk.NativeMethodSample#enabled", "true",
            "jdk.NativeMethodSample#period", "10 ms",
            "jdk.CPULoad#enabled", "true",
            "jdk.CPULoad#period", "1 s");

    /** Where objects are made, of which some are looked at, and what collections come of it. */
    static final Map<String, String> MEMORY = Map.of(
            SETTINGS, "true",
            "jdk.ObjectAllocationSample#enabled", "true",
            "jdk.ObjectAllocationSample#throttle", "300/s",
            "jdk.GarbageCollection#enabled", "true",
            "jdk.GCHeapSummary#enabled", "true",
            "jdk.ResidentSetSize#enabled", "true",
            "jdk.ResidentSetSize#period", "1 s");

    private static final String MODULE = "jdk.jfr";
    private static final String SUFFIX = ".jfr";

    private Profile() {
    }

    /**
     * Begins a recording, if a flag asks for one.
     *
     * @throws IllegalArgumentException if it cannot be written, or this Java has no flight recorder
     */
    static void start(CommandLine line, Flag flag, Map<String, String> events) {
        if (!line.has(flag)) {
            return;
        }
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw new IllegalArgumentException(
                    flag + " needs the module " + MODULE + ", which this Java has not");
        }
        FlightRecording.start(flag, fileOf(line.get(flag, ""), ChildProcess.number()), events);
    }

    /** Each of several processes has its own: {@code cpu.jfr} becomes {@code cpu-1.jfr}. */
    static String fileOf(String name, int process) {
        if (process == 0) {
            return name;
        }
        String mark = "-" + process;
        if (name.endsWith(SUFFIX)) {
            return name.substring(0, name.length() - SUFFIX.length()) + mark + SUFFIX;
        }
        return name + mark;
    }

    /** A class of its own, so that the JVM looks for the module only when it is there. */
    private static final class FlightRecording {

        static void start(Flag flag, String file, Map<String, String> events) {
            try {
                var recording = new Recording(events);
                recording.setDestination(Path.of(file));
                recording.setDumpOnExit(true);
                recording.start();
            } catch (IOException | InvalidPathException | IllegalStateException e) {
                throw new IllegalArgumentException(
                        flag + " cannot write \"" + file + "\": " + InputFile.folderReason(e));
            }
        }
    }
}
