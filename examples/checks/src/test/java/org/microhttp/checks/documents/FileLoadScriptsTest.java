package org.microhttp.checks.documents;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Tier;

/** Runs the two load scripts that measure servers of files beside each other. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tier.Full
final class FileLoadScriptsTest {

    @Test
    void comparesServersOfFilesThatAreInstalled() throws Exception {
        String output = LoadScript.run("files");
        LoadScript.assumeCompared(output, "wrk", "ab", "openssl", "haproxy", "taskset", "setpriv", "timeout");
        for (String asked : List.of("99 B, 2 connections, keep-alive, plain",
                "99 B, 2 connections, close, TLS", "1.7 KiB, 20 connections, keep-alive, plain, ab",
                "600 files, gzip, 100 connections, keep-alive, plain",
                "5 GB, 1 connection, keep-alive, plain", "1.5 MB, 20 connections, keep-alive, plain",
                "256 MiB, cold: how long a small file takes")) {
            assertTrue(output.contains("\n" + asked + "\n"), output);
        }
        assertTrue(output.contains("  1/1  FileServer, from memory ") && !output.contains("FAILED"), output);
        assertFalse(output.contains("files.tsv"), output);
    }

    @Test
    void measuresArchives() throws Exception {
        String output = LoadScript.run("archive");
        LoadScript.assumeCompared(output, "wrk", "curl", "taskset", "setpriv", "timeout");
        for (String asked : List.of("a page of 13 B, 100 connections, 1 thread",
                "all addresses, 16 connections, 2 threads")) {
            assertTrue(output.contains("\n" + asked + "\n"), output);
        }
        // 40 files, and one of them is what its folder is answered with
        Pattern compared = Pattern.compile("what=identity, .* answers=41, coded_answers=0}");
        assertTrue(compared.matcher(output).find() && !output.contains("FAILED"), output);
        assertFalse(output.contains("archive.tsv"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "files", "archive"})
    void refusesAServerThatIsNone(String script) throws Exception {
        assumeTrue(Stream.of("bash", "wrk", "ab", "openssl", "haproxy").allMatch(Programs::isInstalled),
                "not all is there");
        Process process = LoadScript.start(script, "--servers", "nginx,other");
        String output = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
        assertEquals(2, process.waitFor(), output);
        String said = "there is no server other\nusage: src/jmh/" + script + " ";
        assertTrue(output.startsWith(said), output);
    }
}
