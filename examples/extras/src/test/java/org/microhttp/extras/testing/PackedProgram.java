package org.microhttp.extras.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.jar.*;
import java.util.zip.ZipEntry;
import org.microhttp.testing.SourceCompiler;

/** A class, {@code app.Main}, and resources, packed as programs are. */
public final class PackedProgram implements AutoCloseable {

    /** How it is packed. */
    public enum Form { JAR, JAR_WITHOUT_FOLDERS, FOLDER, TWO_FOLDERS, MODULE_JAR, MODULE_FOLDER }

    private final Path folder;
    private final Map<String, byte[]> resources = new TreeMap<>();
    private final List<URLClassLoader> open = new ArrayList<>();
    private final byte[] main;
    private final byte[] module;

    /** @param folder where all of it is */
    public PackedProgram(Path folder) throws IOException {
        this.folder = folder;
        Path classes = folder.resolve("compiled");
        assertEquals("", SourceCompiler.compile(classes, "", 17, Map.of(
                "module-info", "module app { }\n",
                "Main", "package app;\n\npublic class Main { }\n")));
        main = Files.readAllBytes(classes.resolve("app/Main.class"));
        module = Files.readAllBytes(classes.resolve("module-info.class"));
    }

    /** @param name from the root on, as {@code app/web/index.html} */
    public PackedProgram with(String name, byte[] content) {
        resources.put(name, content);
        return this;
    }

    public PackedProgram with(String name, String content) {
        return with(name, content.getBytes());
    }

    public Class<?> load(Form form) throws Exception {
        Path place = Files.createTempDirectory(folder, form.name());
        return switch (form) {
            case JAR -> load(jar(place.resolve("a b.jar"), true));
            case JAR_WITHOUT_FOLDERS -> load(jar(place.resolve("a.jar"), false));
            case FOLDER -> load(unpack(place, all()));
            case TWO_FOLDERS -> load(unpack(place.resolve("classes"), classes()),
                    unpack(place.resolve("resources"), resources));
            case MODULE_JAR -> loadModule(jar(place.resolve("a.jar"), true));
            case MODULE_FOLDER -> loadModule(unpack(place, all()));
        };
    }

    private Map<String, byte[]> classes() {
        return new TreeMap<>(Map.of("module-info.class", module, "app/Main.class", main));
    }

    private Map<String, byte[]> all() {
        Map<String, byte[]> all = classes();
        all.putAll(resources);
        return all;
    }

    private static Path unpack(Path place, Map<String, byte[]> entries) throws IOException {
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            FileSite.write(place.resolve(entry.getKey()), entry.getValue());
        }
        return place;
    }

    /** @param folders whether there are entries for these */
    public Path jar(Path jar, boolean folders) throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
        Set<String> made = new HashSet<>();
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Map.Entry<String, byte[]> entry : all().entrySet()) {
                String name = entry.getKey();
                for (int at = name.indexOf('/'); folders && at > 0; at = name.indexOf('/', at + 1)) {
                    if (made.add(name.substring(0, at))) {
                        out.putNextEntry(new ZipEntry(name.substring(0, at + 1)));
                    }
                }
                out.putNextEntry(new ZipEntry(name));
                out.write(entry.getValue());
            }
        }
        return jar;
    }

    private Class<?> load(Path... places) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path place : places) {
            urls.add(place.toUri().toURL());
        }
        var loader = new URLClassLoader(urls.toArray(URL[]::new), null);
        open.add(loader);
        return loader.loadClass("app.Main");
    }

    private static Class<?> loadModule(Path place) throws Exception {
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
                boot.configuration().resolve(ModuleFinder.of(place), ModuleFinder.of(), Set.of("app"));
        return boot.defineModulesWithOneLoader(configuration, null).findLoader("app").loadClass("app.Main");
    }

    @Override
    public void close() throws IOException {
        for (URLClassLoader each : open) {
            each.close();
        }
    }
}
