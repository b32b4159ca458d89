package org.microhttp.checks.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;
import org.microhttp.testing.Tier;

/** The jars are the same whoever makes them, and where: those of a release can be made anew, and compared. */
@Tier.Full
final class ReproducibleTest {

    /** By the script, with the JDK of this build and its repository, beyond which it needs nothing. */
    @Test
    void twoMoreBuildsMakeTheJarOfThisOne() throws Exception {
        assumeTrue(Programs.isInstalled("mvn") && Programs.isInstalled("bash"), "no mvn, or no bash");
        var script = new ProcessBuilder("bash", Readme.ROOT.resolve("src/test/reproducible").toString());
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        script.environment().put("MAVEN_REPOSITORY", System.getProperty("localRepository"));
        Process process = script.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);

        Path jar = Path.of(System.getProperty("jar", "no property: run mvn verify"));
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar));
        String line = HexFormat.of().formatHex(sum) + "  " + jar.getFileName() + "\n";
        assertTrue(output.startsWith(line), line + output);
    }
}
