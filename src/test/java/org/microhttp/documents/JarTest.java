package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** Looks at the jar that the build made, after it made it: the property {@code jar} says where it is. */
@Tier.Gate
final class JarTest {

    private final Path jar = Path.of(System.getProperty("jar", "no property: run mvn verify"));

    @Test
    void holdsTheLibraryAndNothingElse() throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            List<String> others = file.stream().map(ZipEntry::getName)
                    .filter(name -> !name.matches("org/|org/microhttp/(protocol/)?([\\w$-]+\\.class)?"))
                    .filter(name -> !name.matches("module-info\\.class|META-INF/.*")).toList();
            assertEquals(List.of(), others);
            assertNotNull(file.getEntry("org/microhttp/EventLoop.class"));
        }
    }

    /** Within a twentieth, as each JDK compiles a little differently. */
    @Test
    void isAsLargeAsTheReadmeSays() throws IOException {
        var size = Pattern.compile("\\b(\\d+) KB\\b").matcher(Readme.text());
        assertTrue(size.find());
        assertEquals(Files.size(jar) / 1000.0, Integer.parseInt(size.group(1)), Files.size(jar) / 20_000.0);
    }

    @Test
    void requiresJavaBaseAlone() {
        ModuleDescriptor module = ModuleFinder.of(jar).find("org.microhttp").orElseThrow().descriptor();
        assertEquals(List.of("java.base"),
                module.requires().stream().map(ModuleDescriptor.Requires::name).toList());
        assertEquals(List.of("org.microhttp"),
                module.exports().stream().filter(e -> !e.isQualified()).map(e -> e.source()).toList());
        assertEquals(1, module.exports().size());
        assertEquals(Set.of(), module.opens());
        assertEquals(Set.of("org.microhttp", "org.microhttp.protocol"), module.packages());
    }

    /** In a layer of its own, where the library is a module and the test's class path is not seen. */
    @Test
    void loadsAsAModule() throws ReflectiveOperationException {
        ModuleLayer boot = ModuleLayer.boot();
        Configuration resolved = boot.configuration()
                .resolve(ModuleFinder.of(jar), ModuleFinder.of(), Set.of("org.microhttp"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());
        Class<?> header = layer.findLoader("org.microhttp").loadClass("org.microhttp.Header");
        assertEquals("org.microhttp", header.getModule().getName());
        Object made = header.getConstructor(String.class, String.class).newInstance("A", "b");
        assertEquals("A: b", made.toString());
    }
}
