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
 * The resources below a folder of a module, a jar or a folder of classes. Names are compared as texts and
 * lead to no other file, so none leads out of the folder. For one thread.
 */
final class ClassResources {

    /** More is in no array. */
    private static final int LARGEST = Integer.MAX_VALUE - 16;

    private static final String CLASS = ".class";

    private final Class<?> type;

    /** From the root on, with a slash behind it. */
    private final String folder;
    private final Map<String, ByteBuffer> contents = new HashMap<>();

    /** All that may be read, and what is left of it. */
    private long limit;
    private long room;

    /** How one resource is read. */
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
     * Reads all of them.
     *
     * @param most bytes of memory for them
     * @return their contents by names from the folder on, as {@code css/main.css}
     * @throws NoSuchFileException      if there is none
     * @throws IOException              if one cannot be read
     * @throws IllegalArgumentException if they are larger than that
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

    /** {@return the module, for messages; null if the class is in none} */
    private String readModule() throws IOException {
        Module module = type.getModule();
        ModuleLayer layer = module.getLayer();
        if (!module.isNamed() || layer == null) {
            return null;
        }
        // of the configuration, not of Module::getResourceAsStream: that lists nothing, and obeys opens
        ModuleReference reference = layer.configuration().findModule(module.getName())
                .map(ResolvedModule::reference).orElseThrow();
        try (ModuleReader reader = reference.open(); Stream<String> list = reader.list()) {
            for (String name : (Iterable<String>) list::iterator) {
                add(name, () -> reader.open(name).orElseThrow(() -> new NoSuchFileException(name)));
            }
        }
        return "the module " + module.getName();
    }

    /** {@return where they were looked for, for messages} */
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

    /** @param found the folder itself, in whatever place */
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
            // some class loaders do not escape
            return Path.of(URI.create("file:///").resolve(TargetPath.escaped(file.getPath())));
        }
    }

    /** Of a loader that has jars in jars. */
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

    /** Whether there are entries for folders does not matter. */
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
        // what could be had by no path: hidden names, and those that no folder could have
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
