package org.microhttp.checks.endurance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A certificate for 127.0.0.1 with its key, made by openssl, which clients of this JVM trust. */
final class Certificate {

    private static final List<String> MAKE = List.of("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "-", "-out", "-");

    private static final String PASSWORD = "trusted";

    private Certificate() {
    }

    /** Makes one, and beside it a store of trusted ones for clients that are made from now on. */
    static Path make(Path file) throws IOException, InterruptedException {
        String text = CommandOutput.of(MAKE).text();
        Files.writeString(file, text);
        Path own = Files.writeString(Path.of(file + ".own"), text.substring(text.indexOf("-----BEGIN CERT")));
        CommandOutput.of(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-importcert", "-noprompt", "-file", "" + own, "-keystore", file + ".trusted", "-storepass",
                PASSWORD));
        System.setProperty("javax.net.ssl.trustStore", file + ".trusted");
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        return file;
    }
}
