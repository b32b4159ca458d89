package org.microhttp.extras.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.microhttp.Options;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.testing.TestServer;

/** Files that {@code FileServer} serves, with variants and a listing. */
public final class FileSite extends ServedFiles {

    public final Path root;
    public final Path cache;

    /** @param folder where the root and the cache are, which are made if they are not there */
    public FileSite(Path folder, long memory) throws IOException {
        this(folder, memory, TestServer.options());
    }

    public FileSite(Path folder, long memory, Options options) throws IOException {
        this(options, Files.createDirectories(folder.resolve("root")),
                Files.createDirectories(folder.resolve("cache")), memory);
    }

    private FileSite(Options options, Path root, Path cache, long memory) throws IOException {
        super(options, FileHandler.of(root).withVariants(cache).withMemory(memory).withListing()
                .withCacheControl("*.css", "max-age=60").build());
        this.root = root;
        this.cache = cache;
    }

    /** Writes a file, and the folders that it is in. */
    public Path write(String name, String content) throws IOException {
        return write(root.resolve(name), content.getBytes(ISO_8859_1));
    }

    /**
     * Waits until the file system's clock has gone on since a file was changed: until then its content may
     * change unseen, and its tag is for a moment.
     */
    public static Path settle(Path file) throws IOException {
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        while (System.currentTimeMillis() - changed.toMillis() < 100) {
            Thread.onSpinWait();
        }
        return file;
    }

    /** Puts a variant of what is there now to its place. */
    public Path variant(String name, String suffix, String content) throws IOException {
        Path made = write(cache.resolve("making"), content.getBytes(ISO_8859_1));
        Files.setLastModifiedTime(made, Files.getLastModifiedTime(root.resolve(name)));
        Path variant = cache.resolve(name + suffix);
        Files.createDirectories(variant.getParent());
        return Files.move(made, variant, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    public static Path write(Path file, byte[] content) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    /** Puts a file in the place of another at once, as one should. */
    public void replace(String name, String content) throws IOException {
        Path made = write("replacing", content);
        Files.move(made, root.resolve(name), ATOMIC_MOVE, REPLACE_EXISTING);
    }
}
