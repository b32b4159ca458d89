package files;

import commandline.CommandLine;
import commandline.Flag;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Reads a file that a flag names, or finds a folder. */
public final class InputFile {

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

    /** Why a file cannot be opened, or something else not be done, in a few words. */
    public static String reason(Throwable failure) {
        String known = known(failure);
        return known == null ? failure.toString() : known;
    }

    private static String known(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
        }
        if (failure instanceof NotDirectoryException) {
            return "it is no folder";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof OutOfMemoryError) {
            return "it does not fit into memory";
        }
        // the message of this one begins with the name of the file
        return failure instanceof FileSystemException e ? e.getReason() : failure.getMessage();
    }
}
