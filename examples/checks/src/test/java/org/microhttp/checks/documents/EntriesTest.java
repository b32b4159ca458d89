package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.Readme;
import org.microhttp.testing.SourceCompiler;
import org.microhttp.testing.Tier;

/** The entries for public comparisons compile with the library and the extras as they are now. */
@Tier.Full
final class EntriesTest {

    /** What an entry uses of Jackson, which the build does not have. */
    private static final String MAPPER = """
            package com.fasterxml.jackson.databind;

            public class ObjectMapper {
                public <T> T readValue(java.io.File file, Class<T> type) { return null; }
                public byte[] writeValueAsBytes(Object value) { return null; }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void compile() throws Exception {
        Path entries = Readme.ROOT.resolve("src/jmh/entries");
        Map<String, String> sources = Map.of("ObjectMapper", MAPPER,
                "ArenaServer", Readme.read(entries.resolve("httparena/src/main/java/ArenaServer.java")),
                "ProbeServer", Readme.read(entries.resolve("http11probe/ProbeServer.java")));
        assertEquals("", SourceCompiler.compile(folder, System.getProperty("java.class.path"), 17, sources));
    }
}
