package org.microhttp.tools.servertool;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.microhttp.extras.accesslog.AccessFormat;
import org.microhttp.extras.accesslog.AccessLogger;
import org.microhttp.extras.accesslog.LogFile;
import org.microhttp.extras.accesslog.Trust;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;

/**
 * The flags by which a tool has an access log, and the log that they ask for.
 *
 * @param file  where it goes
 * @param style how its lines look
 * @param trust which peers are believed when they say for whom they ask
 */
public record LogFlags(Flag file, Flag style, Flag trust) {

    /** Those of tools that have an access log beside what they do. */
    public static final LogFlags BESIDE = new LogFlags(
            Flag.of("", "--log", "FILE", "an access log to append to, which may be rotated"),
            Flag.of("", "--log-style", "common|combined|json", "how its lines look, default combined"),
            Flag.of("", "--trust", "NETWORKS",
                    "proxies that say for whom they ask, as 10.0.0.0/8,::1; default: nobody"));

    private static final Map<String, AccessFormat> STYLES = Map.of(
            "common", AccessFormat.COMMON,
            "combined", AccessFormat.COMBINED,
            "json", AccessFormat.JSON);

    /** {@return the access log; null if no file is given for it} */
    public AccessLogger log(CommandLine line) {
        if (line.has(file)) {
            return logInAnyCase(line);
        }
        for (Flag flag : List.of(style, trust)) {
            if (line.has(flag)) {
                throw new IllegalArgumentException(flag + " is of no use without " + file);
            }
        }
        return null;
    }

    /** {@return the access log, on standard output if no file is given} */
    public AccessLogger logInAnyCase(CommandLine line) {
        AccessFormat format = format(line);
        Trust trusted = trusted(line);
        return new AccessLogger(output(line), format, trusted);
    }

    private AccessFormat format(CommandLine line) {
        String name = line.get(style, "combined");
        CommandLine.check(STYLES.containsKey(name), style, name, "common, combined or json");
        return STYLES.get(name);
    }

    private Trust trusted(CommandLine line) {
        if (!line.has(trust)) {
            return Trust.nobody();
        }
        try {
            return Trust.of(line.get(trust, ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(trust + " is " + e.getMessage());
        }
    }

    private WritableByteChannel output(CommandLine line) {
        if (!line.has(file)) {
            return new FileOutputStream(FileDescriptor.out).getChannel();
        }
        String name = line.get(file, "");
        try {
            return new LogFile(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    file + " cannot append to \"" + name + "\": " + InputFile.folderReason(e));
        }
    }
}
