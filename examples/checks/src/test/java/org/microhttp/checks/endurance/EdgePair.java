package org.microhttp.checks.endurance;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.microhttp.checks.proxies.tools.Proxy;
import org.microhttp.checks.proxies.tools.ProxyKind;
import org.microhttp.checks.proxies.tools.RestartedServers;
import org.microhttp.testing.Leaks;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/**
 * Two processes of the example {@code EdgeServer} behind a proxy, which has the configuration that lies
 * beside it: HAProxy with Unix sockets and the PROXY protocol, nginx with ports. They are restarted as an
 * operator does it: each by SIGTERM, the next one when the proxy asks the one before again.
 */
public final class EdgePair implements AutoCloseable {

    private static final int LIMIT_SECONDS = 60;
    private static final int REMARKS = 10;

    private static final String PASSWORD = "trusted";

    final String name;

    /** Where the proxy speaks TLS. */
    final int port;

    private final ProxyKind kind;
    private final Path folder;
    final Path certificate;
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> places;
    private final RestartedServers servers;
    private final Process proxy;

    /**
     * Starts both servers and the proxy.
     *
     * @param folder      for what the proxy writes, and no other's
     * @param certificate made by {@link #makeCertificate}
     */
    EdgePair(ProxyKind kind, Path folder, Path certificate) throws Exception {
        this.kind = kind;
        this.folder = folder;
        this.certificate = certificate;
        name = kind == ProxyKind.HAPROXY ? "haproxy" : "nginx";
        port = RestartedServers.freePort();
        places = Stream.of("a", "b").map(server -> kind == ProxyKind.HAPROXY ? "" + folder.resolve(server)
                : Leaks.HOST + ":" + RestartedServers.freePort()).toList();
        servers = new RestartedServers(List.of(command(0), command(1)));
        Path configuration = folder.resolve("configuration");
        Files.writeString(configuration, configuration());
        proxy = new ProcessBuilder(Proxy.guarded(kind, folder, configuration)).redirectErrorStream(true)
                .redirectOutput(folder.resolve("remarks").toFile()).start();
        awaitServes("");
    }

    /** Makes one for 127.0.0.1 with its key, and has new clients of this JVM trust it. */
    static Path makeCertificate(Path file) throws IOException, InterruptedException {
        String text = Programs.run(0, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", "-", "-out", "-");
        Files.writeString(file, text);
        Path own = Files.writeString(Path.of(file + ".own"), text.substring(text.indexOf("-----BEGIN CERT")));
        Programs.run(0, Path.of(Programs.JAVA).resolveSibling("keytool").toString(), "-importcert",
                "-noprompt", "-file", "" + own, "-keystore", file + ".trusted", "-storepass", PASSWORD);
        System.setProperty("javax.net.ssl.trustStore", file + ".trusted");
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        return file;
    }

    private List<String> command(int index) {
        List<String> where = kind == ProxyKind.HAPROXY
                ? List.of("--proxy-protocol", "--unix-socket", places.get(index))
                : List.of("--address", Leaks.HOST, "--port", places.get(index).split(":")[1]);
        return Stream.concat(Stream.of("-Xmx64m", "edge.EdgeServer", "--name", index == 0 ? "a" : "b",
                "--drain", "1000ms", "--grace", "20s"), where.stream()).toList();
    }

    /** The example's, with its places filled in, without a log of all that goes well, and in one process. */
    private String configuration() {
        String template = kind == ProxyKind.HAPROXY ? "haproxy.cfg" : "nginx.conf";
        String text = Readme.read(Readme.ROOT.resolve("examples/services/edge").resolve(template));
        return text.replace("@HTTPS_PORT@", "" + port).replace("@CERTIFICATE@", "" + certificate)
                .replace("@SERVER_A@", places.get(0)).replace("@SERVER_B@", places.get(1))
                .replace("@METRICS_A_PORT@", "" + RestartedServers.freePort())
                .replace("@METRICS_B_PORT@", "" + RestartedServers.freePort())
                .replace("@STATS_SOCKET@", "" + folder.resolve("stats"))
                .replace("user @USER@ @GROUP@;", "master_process off;")
                .replace("option httplog\n", "option httplog\n    option dontlog-normal\n")
                .replace("access_log access.log;", "access_log off;");
    }

    URI uri(String target) {
        return URI.create("https://127.0.0.1:" + port + target);
    }

    /** Restarts both; the second when the proxy asks the first again. */
    void restartInTurn() throws IOException, InterruptedException {
        for (int i = 0; i < servers.count(); i++) {
            awaitServes(", process " + servers.restart(i) + "\n");
        }
    }

    /** Until an answer that comes by the proxy has that in it. */
    private void awaitServes(String text) throws IOException, InterruptedException {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!serves(text)) {
            if (System.nanoTime() > limit) {
                throw new IOException(name + " does not ask" + text.strip() + ": " + remarks());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    private boolean serves(String text) throws InterruptedException {
        try {
            var response = http.send(HttpRequest.newBuilder(uri("/")).build(), BodyHandlers.ofString());
            return response.statusCode() == 200 && response.body().contains(text);
        } catch (IOException e) {
            // nothing listens there yet
            return false;
        }
    }

    /** The last of what the proxy wrote, but for what a restart has it write. */
    List<String> remarks() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("remarks")).stream()
                .filter(line -> !line.contains("Connection refused"))
                .filter(line -> !line.contains("Server servers/")).toList();
        return lines.subList(Math.max(0, lines.size() - REMARKS), lines.size());
    }

    /** Whether all that a soak needs is installed. */
    public static boolean isPossible() {
        return Proxy.isInstalled(ProxyKind.HAPROXY) && Proxy.isInstalled(ProxyKind.NGINX)
                && Stream.of("curl", "h2load", "openssl").allMatch(Programs::isInstalled);
    }

    @Override
    public void close() throws IOException {
        proxy.getOutputStream().close();
        servers.close();
    }
}
