package org.microhttp.tools.servertool;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The flags for TLS, which every server tool takes. */
@Tier.Program
final class TlsToolTest {

    private static final TlsFiles ONE = TlsFiles.of("EC one");
    private static final TlsFiles TWO = TlsFiles.of("EC two");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses();

    @TempDir
    private Path folder;

    private String write(String name, String text) throws Exception {
        return "" + Files.writeString(folder.resolve(name), text);
    }

    private ServerProcess serve(String... flags) throws Exception {
        String certificate = write("certificate.pem", ONE.certificatePem());
        String key = write("key.pem", ONE.keyPem());
        var all = new ArrayList<>(List.of(flags));
        all.addAll(List.of("--tls-certificate", certificate, "--tls-key", key));
        return servers.serve(all.toArray(String[]::new));
    }

    private String flags() throws Exception {
        String certificate = write("certificate.pem", ONE.certificatePem());
        String key = write("key.pem", ONE.keyPem());
        return " -p 0 --tls-certificate '" + certificate + "' --tls-key '" + key + "'";
    }

    private static String get(ServerProcess server) throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(TlsFiles.trusting(ONE, TWO)).build();
        var request = HttpRequest.newBuilder(URI.create("https://localhost:" + server.port + "/")).build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    @Test
    void answersByTls() throws Exception {
        ServerProcess server = serve("-b", "secret", "-t", "2", "-v");
        assertEquals("secret", get(server));
        assertEquals("#0 > GET / HTTP/1.1", server.nextLine());
        server.end();
    }

    @Test
    void saysWhichLocaleItNeeds() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's locales");
        ServerProcess server = servers.shell("LC_ALL=C exec $0" + flags());
        server.expectEnd(2, "", "ResponseServer: TLS needs a locale of UTF-8: set LC_ALL=C.UTF-8");
    }

    @Test
    void silentClientsDoNotKeepTheLastDescriptors() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc")), "another system's limits");
        ServerProcess server = servers.shell("ulimit -n 200; exec $0" + flags()).listening();
        try (var silent = new SilentClients(server.port, ONE.client())) {
            silent.come(400, SilentClients.Step.CONNECTED);
            silent.assertDelayNobody();
        }
    }

    @Test
    void saysWithoutAnyFlagThatNewCertificatesAreTakenOrWrong() throws Exception {
        ServerProcess server = serve("-b", "secret");
        write("certificate.pem", TWO.certificatePem());
        var errors = CompletableFuture.supplyAsync(() -> {
            try {
                return server.nextError();
            } catch (IOException e) {
                return "" + e;
            }
        });
        while (!errors.isDone()) {
            assertEquals("secret", get(server));
        }
        assertEquals("tls_reload_error: " + folder.resolve("key.pem")
                + ": its key is not that of the certificate", errors.get());
    }

    @Test
    void printsWithVerboseThatNewCertificatesAreTaken() throws Exception {
        ServerProcess server = serve("-b", "secret", "-v");
        write("key.pem", TWO.keyPem());
        write("certificate.pem", TWO.certificatePem());
        String line;
        do {
            assertEquals("secret", get(server));
            line = server.nextLine();
        } while (!line.matches(".*\\btls_reload\\b.*"));
        server.end();
    }
}
