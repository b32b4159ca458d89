package org.microhttp.extras.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The rights of files, written as {@code ls} writes them: {@code rw-r-----}. */
public final class Rights {

    private Rights() {
    }

    public static String of(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** {@return the file} */
    public static Path give(Path file, String rights) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }
}
