package org.microhttp.tools.sitearchive;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;
import org.microhttp.Options;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.servertool.ServerFlags;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.serving.ServeSettings;

/**
 * What the flags of {@code serve} ask for. What is wrong is an {@link IllegalArgumentException} that says so.
 */
public final class ServeArguments {

    /** There is no use for a body, and fields have a limit of their own below it. */
    private static final int MAX_REQUEST = 64 << 10;

    /** Bytes a second: who takes less would keep an archive open that was replaced. */
    private static final int MIN_RATE = 500;

    /** The longest that options allow. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** For clients that are sent what is in memory. */
    private static final Duration CUT_AFTER = Duration.ofMinutes(1);

    /** An IPv6 address is in brackets (RFC 3986 §3.2.2). */
    private static final Pattern BIND = Pattern.compile("(?:([^:\\[\\]]*)|\\[([^\\[\\]]+)]):([0-9]{1,5})");

    private ServeArguments() {
    }

    /** {@return options to listen where {@code --bind} says, with timeouts as asked for} */
    public static Options change(CommandLine line, Options options) {
        Options placed = (line.has(ServeFlags.BIND) ? bound(line, options) : options)
                .withMaxRequestSize(MAX_REQUEST).withMinSendRate(MIN_RATE);
        return line.has(ServeFlags.TIMEOUT_DISABLE)
                ? placed.withSocketTimeout(LONGEST).withRequestTimeout(LONGEST).withHandlerTimeout(LONGEST)
                        .withMinSendRate(0)
                : placed;
    }

    private static Options bound(CommandLine line, Options options) {
        for (Flag flag : List.of(ServerFlags.PORT, ServerFlags.ADDRESS)) {
            refuseWith(line, flag, ServeFlags.BIND);
        }
        String text = line.get(ServeFlags.BIND, "");
        Matcher parts = BIND.matcher(text);
        boolean valid = parts.matches() && Integer.parseInt(parts.group(3)) <= 65_535;
        CommandLine.check(valid, ServeFlags.BIND, text,
                "IP:PORT, as 127.0.0.1:8080, [::1]:8080 or, for every interface, :8080; a port up to 65535");
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return options.withHost(host.isEmpty() ? null : host).withPort(Integer.parseInt(parts.group(3)));
    }

    private static void refuseWith(CommandLine line, Flag flag, Flag other) {
        if (line.has(flag) && line.has(other)) {
            throw new IllegalArgumentException(flag + " is of no use with " + other);
        }
    }

    /** {@return null for {@code --dummy}} */
    public static ServeSettings settings(CommandLine line) {
        if (line.has(ServeFlags.DUMMY)) {
            ServeFlags.OF_ARCHIVES.forEach(flag -> refuseWith(line, flag, ServeFlags.DUMMY));
            return null;
        }
        refuseWith(line, ServeFlags.ARCHIVE, ServeFlags.ARCHIVES);
        if (!line.has(ServeFlags.ARCHIVE) && !line.has(ServeFlags.ARCHIVES)) {
            throw new IllegalArgumentException("--archive FILE must be given, or --archives DIR, or --dummy");
        }
        boolean all = line.has(ServeFlags.INDEX_ALL);
        return new ServeSettings(
                path(line, ServeFlags.ARCHIVE),
                path(line, ServeFlags.ARCHIVES),
                kind(line),
                line.has(ServeFlags.PRELOAD),
                all || line.has(ServeFlags.INDEX_PATHS),
                all || line.has(ServeFlags.INDEX_METADATA),
                all || line.has(ServeFlags.INDEX_CONTENTS),
                added(line),
                line.has(ServeFlags.WATCH),
                keepPrevious(line),
                cutAfter(line));
    }

    private static Path path(CommandLine line, Flag flag) {
        if (!line.has(flag)) {
            return null;
        }
        String name = line.get(flag, "");
        String allowed = flag.equals(ServeFlags.ARCHIVE) ? "a file" : "a folder";
        CommandLine.check(!name.isEmpty(), flag, name, allowed);
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    flag + " cannot read \"" + name + "\": " + InputFile.reason(e));
        }
    }

    private static ArchiveBytes.Kind kind(CommandLine line) {
        refuseWith(line, ServeFlags.IN_MEMORY, ServeFlags.MAPPED);
        if (line.has(ServeFlags.IN_MEMORY)) {
            return ArchiveBytes.Kind.MEMORY;
        }
        return line.has(ServeFlags.MAPPED) ? ArchiveBytes.Kind.MAPPED : ArchiveBytes.Kind.FILE;
    }

    private static List<Header> added(CommandLine line) {
        List<Header> fields = new ArrayList<>();
        if (!line.has(ServeFlags.SECURITY_DISABLE)) {
            fields.addAll(SecurityFields.USUAL);
        }
        if (line.has(ServeFlags.SECURITY_TLS)) {
            fields.addAll(SecurityFields.TLS);
        }
        return fields;
    }

    private static Duration keepPrevious(CommandLine line) {
        return timeWatching(line, ServeFlags.KEEP_PREVIOUS, Duration.ZERO);
    }

    /** In a file an archive takes room on the disk alone. */
    private static Duration cutAfter(CommandLine line) {
        boolean inMemory = line.has(ServeFlags.IN_MEMORY);
        return timeWatching(line, ServeFlags.CUT_AFTER, inMemory ? CUT_AFTER : LONGEST);
    }

    private static Duration timeWatching(CommandLine line, Flag flag, Duration otherwise) {
        if (line.has(flag) && !line.has(ServeFlags.WATCH)) {
            throw new IllegalArgumentException(flag + " is of no use without " + ServeFlags.WATCH);
        }
        return line.time(flag, otherwise);
    }
}
