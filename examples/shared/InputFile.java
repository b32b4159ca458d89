package shared;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a file that a flag names. */
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

    /** Why a folder cannot be read, or nothing be opened in it, in a few words. */
    public static String folderReason(Throwable failure) {
        return failure instanceof NoSuchFileException ? "there is no such folder" : reason(failure);
    }

    /** Why a file cannot be opened, in a few words. */
    public static String reason(Throwable failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file";
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
