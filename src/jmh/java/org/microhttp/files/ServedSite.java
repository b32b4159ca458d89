package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.measure.Children;
import org.microhttp.measure.CpuTime;
import org.microhttp.measure.Machine;
import org.microhttp.measure.PinnedServer;

/** A server that serves the site, pinned to its CPU, and once TLS is asked for the proxy in front of it. */
final class ServedSite {

    final FilePeer peer;
    private final FilePlan plan;
    private final PinnedServer server;
    private PinnedServer proxy;

    ServedSite(FilePeer peer, FilePart part, FilePlan plan, MeasuredSite site) throws IOException {
        this.peer = peer;
        this.plan = plan;
        int port = PinnedServer.freePort();
        Path folder = Files.createTempDirectory(peer.name);
        var start = new FileCommand(Machine.java(), System.getProperty("java.class.path"), "" + folder,
                "" + site.root(), "" + site.cache(), "" + port);
        start.configure(peer);
        server = new PinnedServer(start.of(peer, part), folder, port, plan.serverCpu(), plan.secondsAtMost());
    }

    /** Where a load generator finds it; the proxy is started when it is needed first. */
    String url(FileCase asked) throws IOException {
        if (!asked.tls()) return "http://127.0.0.1:" + server.port();
        if (proxy == null) proxy = startProxy();
        return "https://127.0.0.1:" + proxy.port();
    }

    private PinnedServer startProxy() throws IOException {
        int port = PinnedServer.freePort();
        Path folder = Files.createTempDirectory("haproxy");
        var start = new FileCommand("", "", "" + folder, "", "", "" + port);
        List<String> command = start.proxy(certificate(folder), "" + server.port());
        return new PinnedServer(command, folder, port, plan.serverCpu(), plan.secondsAtMost());
    }

    /** HAProxy wants key and certificate in one file. */
    private static String certificate(Path folder) throws IOException {
        Path key = folder.resolve("key.pem"), certificate = folder.resolve("certificate.pem");
        Children.run(List.of("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                "-keyout", "" + key, "-out", "" + certificate), 20);
        Path both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(certificate) + Files.readString(key));
        return "" + both;
    }

    int port() { return server.port(); }

    boolean isAlive() { return server.isAlive(); }

    CpuTime time() throws IOException { return server.time(); }

    CpuTime compilerTime() throws IOException { return server.compilerTime(); }

    CpuTime proxyTime() throws IOException { return proxy == null ? new CpuTime(0, 0) : proxy.time(); }

    /** Of both. */
    CpuTime allTime() throws IOException { return time().plus(proxyTime()); }

    void end() {
        if (proxy != null) proxy.end();
        server.end();
    }

    /** Asks once itself, and fails unless the file comes, whole and right. */
    void check(FileCase asked, MeasuredSite site) throws IOException {
        if (asked.content().size > 0) {
            new ExpectedAnswer(asked.content().target(), site.file(asked.content()), "identity")
                    .check(server.port());
            return;
        }
        for (String url : Files.readAllLines(site.list()).subList(0, 20)) {
            String target = url.substring(url.indexOf("/mix/"));
            Path variant = site.cache().resolve(target.substring(1) + ".gz");
            boolean coded = asked.content() == ServedContent.GZIP && Files.exists(variant);
            new ExpectedAnswer(target, coded ? variant : site.root().resolve(target.substring(1)),
                    asked.content() == ServedContent.GZIP ? "gzip" : "identity").check(server.port());
        }
    }
}
