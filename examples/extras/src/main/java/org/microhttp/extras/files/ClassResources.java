package org.microhttp.extras.files;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.microhttp.extras.filesystem.FileName;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * Reads the resources below a folder of a module, a jar or a folder of classes. Names are only compared as
 * text, and links below the folder are skipped, so no name leads out of it. For one thread.
 */
final class ClassResources {

    /** Bytes that surely fit an array. */
    private static final int LARGEST = Integer.MAX_VALUE - 16;

    private static final String CLASS = ".class";

    private final Class<?> type;

    /** Path from the root, with a slash at its end. */
    private final String folder;
    private final Map<String, ByteBuffer> contents = new HashMap<>();

    /** Bytes of memory for all resources, and how many of them are left. */
    private long limit;
    private long room;

    /** Opens one resource. */
    @FunctionalInterface
    private interface Opening {

        InputStream open() throws IOException;
    }

    ClassResources(Class<?> type, String folder) {
        this.type = Objects.requireNonNull(type, "type");
        String inPackage = type.getPackageName().replace('.', '/');
        boolean absolute = Objects.requireNonNull(folder, "folder").startsWith("/") || inPackage.isEmpty();
        String name = absolute ? folder : inPackage + "/" + folder;
        String path = name.replaceAll("^/|/$", "");
        boolean valid = Stream.of(path.split("/", -1)).allMatch(UrlDecoding::isName);
        if (!valid) {
            throw new IllegalArgumentException("the folder of resources is \"" + folder
                    + "\"; allowed: names with slashes, as in /static; not the root, where all classes are");
        }
        this.folder = path + "/";
    }

    /**
     * Reads all resources of the folder.
     *
     * @param most bytes of memory that they may take
     * @return their contents by names relative to the folder, such as {@code css/main.css}
     * @throws NoSuchFileException      if there is no resource
     * @throws IOException              if a resource cannot be read
     * @throws IllegalArgumentException if they need more memory
     */
    Map<String, ByteBuffer> read(long most) throws IOException {
        limit = most;
        room = most;
        contents.clear();
        String places = readModule();
        if (places == null) {
            places = readClassPath();
        }
        if (contents.isEmpty()) {
            throw new NoSuchFileException("/" + folder, null, "no resource that may be served in " + places);
        }
        return Map.copyOf(contents);
    }

    /** {@return the module, for messages; null if the class is in no named module} */
    private String readModule() throws IOException {
        Module module = type.getModule();
        ModuleLayer layer = module.getLayer();
        if (!module.isNamed() || layer == null) {
            return null;
        }
        // Module::getResourceAsStream cannot list, and reads only packages that are open
        ModuleReference reference = layer.configuration().findModule(module.getName())
                .map(ResolvedModule::reference).orElseThrow();
        try (ModuleReader reader = reference.open(); Stream<String> list = reader.list()) {
            for (String name : (Iterable<String>) list::iterator) {
                add(name, () -> reader.open(name).orElseThrow(() -> new NoSuchFileException(name)));
            }
        }
        return "the module " + module.getName();
    }

    /** {@return the places that were searched, for messages} */
    private String readClassPath() throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL own = source == null ? null : source.getLocation();
        if (own != null) {
            readPlace(own);
        }
        ClassLoader loader = type.getClassLoader();
        if (contents.isEmpty() && loader != null) {
            URL found = loader.getResource(folder);
            if (found != null) {
                readFound(found);
            }
        }
        return (own == null ? "no place of its own" : own) + ", nor where the loader of " + type.getName()
                + " finds its folder";
    }

    /** @param place a jar, or a folder of classes */
    private void readPlace(URL place) throws IOException {
        if (!isFile(place)) {
            readJar(place.openConnection());
            return;
        }
        Path path = path(place);
        if (Files.isDirectory(path)) {
            readFolder(path.resolve(folder));
        } else if (Files.isRegularFile(path)) {
            try (var jar = new JarFile(path.toFile(), true, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
                readJar(jar);
            }
        }
    }

    /** @param found the folder of resources itself, in a jar or not */
    private void readFound(URL found) throws IOException {
        if (isFile(found)) {
            readFolder(path(found));
            return;
        }
        URLConnection connection = found.openConnection();
        if (connection instanceof JarURLConnection jar && isFile(jar.getJarFileURL())) {
            readPlace(jar.getJarFileURL());
        } else {
            readJar(connection);
        }
    }

    private static boolean isFile(URL url) {
        return url.getProtocol().equals("file");
    }

    private static Path path(URL file) throws IOException {
        try {
            return Path.of(file.toURI());
        } catch (URISyntaxException e) {
            // some class loaders do not escape paths
            return Path.of(URI.create("file:///").resolve(TargetPath.escaped(file.getPath())));
        }
    }

    /** For class loaders that read jars inside jars. */
    private void readJar(URLConnection connection) throws IOException {
        if (!(connection instanceof JarURLConnection)) {
            throw new IOException("the resources of " + connection.getURL()
                    + " cannot be listed; allowed: those of modules, jars and folders");
        }
        connection.setUseCaches(false);
        try (JarFile jar = ((JarURLConnection) connection).getJarFile()) {
            readJar(jar);
        }
    }

    /** Needs no entries for folders. */
    private void readJar(JarFile jar) throws IOException {
        try (Stream<JarEntry> entries = jar.versionedStream()) {
            for (JarEntry entry : (Iterable<JarEntry>) entries::iterator) {
                add(entry.getName(), () -> jar.getInputStream(entry));
            }
        }
    }

    private void readFolder(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return;
        }
        Path root = path.toRealPath();
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            all.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).forEach(files::add);
        }
        for (Path file : files) {
            Path inside = root.relativize(file);
            if (FileName.isText(inside)) {
                String name = inside.toString().replace(inside.getFileSystem().getSeparator(), "/");
                add(folder + name, () -> Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
            }
        }
    }

    private void add(String name, Opening opening) throws IOException {
        boolean file = name.startsWith(folder) && !name.endsWith("/")
                && !name.toLowerCase(Locale.ROOT).endsWith(CLASS);
        String inside = file ? name.substring(folder.length()) : "";
        // skips names that no request can reach: hidden ones, and those that are invalid in a path
        if (file && TargetPath.of("/" + TargetPath.escaped(inside)) != null) {
            contents.put(inside, read(name, opening));
        }
    }

    private ByteBuffer read(String name, Opening opening) throws IOException {
        long most = Math.min(LARGEST, room - FileContent.OVERHEAD);
        if (most >= 0) {
            try (InputStream in = opening.open()) {
                byte[] bytes = in.readNBytes((int) most + 1);
                if (bytes.length <= most) {
                    room -= bytes.length + FileContent.OVERHEAD;
                    return FileContent.buffer(bytes.length).put(bytes).flip();
                }
            }
        }
        throw new IllegalArgumentException("the resources below /" + folder + " need more memory than "
                + limit + " bytes, with " + FileContent.OVERHEAD + " for each: /" + name
                + " is beyond that; allowed: less, or a larger withMemory");
    }
}
