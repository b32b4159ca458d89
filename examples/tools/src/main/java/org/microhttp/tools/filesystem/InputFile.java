package org.microhttp.tools.filesystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;

/** Reads a file that a flag names, or finds a folder. */
public final class InputFile {

    /** What exceptions do not say, whose message is a path or nothing; the first that fits holds. */
    private static final Map<Class<? extends Throwable>, String> REASONS = new LinkedHashMap<>();

    static {
        REASONS.put(NoSuchFileException.class, "there is no such file");
        REASONS.put(NotDirectoryException.class, "it is no folder");
        REASONS.put(AccessDeniedException.class, "permission denied");
        REASONS.put(FileAlreadyExistsException.class, "it is there already");
        REASONS.put(DirectoryNotEmptyException.class, "the folder is not empty");
        REASONS.put(FileSystemLoopException.class, "links lead in a circle");
        REASONS.put(NotLinkException.class, "it is no link");
        REASONS.put(ClosedByInterruptException.class, "it was interrupted");
        REASONS.put(ClosedChannelException.class, "it was closed meanwhile");
        REASONS.put(OutOfMemoryError.class, "it does not fit into memory");
        REASONS.put(UnresolvedAddressException.class, "there is no such address");
        REASONS.put(UnsupportedAddressTypeException.class, "this system has no such addresses");
    }

    private InputFile() {
    }

    /** All of a file, or an {@link IllegalArgumentException} that says in one line why it cannot be read. */
    public static byte[] read(Flag flag, String file) {
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException | InvalidPathException | OutOfMemoryError e) {
            throw new IllegalArgumentException(flag + " cannot read \"" + file + "\": " + reason(e));
        }
    }

    /** The media types of a file that a flag names, or those that are known without one. */
    public static MediaTypes mediaTypes(CommandLine line, Flag flag) {
        if (!line.has(flag)) {
            return MediaTypes.builtIn();
        }
        String file = line.get(flag, "");
        try {
            return MediaTypes.of(Path.of(file));
        } catch (IOException | InvalidPathException | OutOfMemoryError e) {
            throw new IllegalArgumentException(flag + " cannot read \"" + file + "\": " + reason(e));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(flag + " is " + e.getMessage());
        }
    }

    /** The real path of a folder that must be given, or an {@link IllegalArgumentException}. */
    public static Path folder(CommandLine line, Flag flag, String hintIfMissing) {
        String name = line.required(flag);
        try {
            Path folder = Path.of(name).toRealPath();
            CommandLine.check(!name.isEmpty() && Files.isDirectory(folder), flag, name, "a folder");
            return folder;
        } catch (IOException | InvalidPathException e) {
            String hint = e instanceof NoSuchFileException ? hintIfMissing : "";
            throw new IllegalArgumentException(
                    flag + " cannot read \"" + name + "\": " + folderReason(e) + hint);
        }
    }

    /** Why a folder cannot be read, or nothing be opened in it, in a few words. */
    public static String folderReason(Throwable failure) {
        return failure instanceof NoSuchFileException ? "there is no such folder" : reason(failure);
    }

    /** Why a file cannot be opened, or something else not be done, in a few words without its path. */
    public static String reason(Throwable failure) {
        if (isWrapped(failure)) {
            return reason(failure.getCause());
        }
        String known = REASONS.entrySet().stream().filter(entry -> entry.getKey().isInstance(failure))
                .map(Map.Entry::getValue).findFirst().orElse(null);
        if (known == null) {
            // the message of this one begins with the name of the file
            known = failure instanceof FileSystemException e ? e.getReason() : message(failure);
        }
        return known == null ? "it failed for an unknown reason, " + failure.getClass().getName() : known;
    }

    /** Null if there is none. A cause that stands at its end is told in words. */
    private static String message(Throwable failure) {
        String message = failure.getMessage();
        String end = ": " + failure.getCause();
        return message != null && failure.getCause() != null && message.endsWith(end)
                ? message.substring(0, message.length() - end.length()) + ": " + reason(failure.getCause())
                : message;
    }

    private static boolean isWrapped(Throwable failure) {
        return failure.getCause() instanceof IOException
                && (failure instanceof UncheckedIOException || failure instanceof DirectoryIteratorException);
    }

    /** Why something cannot be done, with the path, if one is known; a fault of the program in full. */
    public static String failure(Throwable failure) {
        return failure(null, failure);
    }

    /** @param named a path that the message has already; null for none */
    public static String failure(Path named, Throwable failure) {
        if (isWrapped(failure)) {
            return failure(named, failure.getCause());
        }
        boolean fault = failure instanceof RuntimeException && !(failure instanceof IllegalArgumentException)
                && !(failure instanceof IllegalStateException);
        String reason = fault ? failure.toString() : reason(failure);
        String file = failure instanceof FileSystemException e ? e.getFile() : null;
        return file == null || named != null && Path.of(file).endsWith(named) ? reason : file + ": " + reason;
    }
}
