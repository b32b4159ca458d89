package org.microhttp.faults.chaos;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1, made by openssl, and who trusts it.
 *
 * @param file with the key
 */
record Certificate(Path file) {

    private static final List<String> MAKE = List.of("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "-", "-out", "-");

    /** Makes one. */
    static Certificate make(Path file) throws IOException, InterruptedException {
        Files.writeString(file, CommandOutput.of(MAKE).text());
        return new Certificate(file);
    }

    /** A client of the JDK that trusts it alone. */
    HttpClient client() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        String text = Files.readString(file);
        String part = text.substring(text.indexOf("-----BEGIN CERTIFICATE"));
        try (InputStream in = new ByteArrayInputStream(part.getBytes(StandardCharsets.US_ASCII))) {
            trusted.setCertificateEntry("this",
                    CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
