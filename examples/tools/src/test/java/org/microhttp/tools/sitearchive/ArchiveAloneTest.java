package org.microhttp.tools.sitearchive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.testing.*;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.testing.HandMadeArchive;

/** That {@code SiteArchive serve} needs nothing but its archive, and that only at its start. */
@Tier.Program
final class ArchiveAloneTest {

    private static final String LARGE = "0123456789".repeat(20_000);

    @TempDir
    private Path folder;

    private Path archive() throws IOException {
        return new HandMadeArchive().texts("/a", "small", "/d/", "folder", "/large", LARGE)
                .text('N', 404, "/", "none").write(folder.resolve("site.cdb"));
    }

    /** A request of each kind. */
    private static void ask(int port) throws IOException {
        String tag = "\"" + ArchiveFormat.idOf("small".getBytes(UTF_8)) + "\"";
        try (var client = new RawClient(port)) {
            assertEquals("small", client.get("/a").response().text());
            assertEquals(LARGE, client.get("/large").response().text());
            assertEquals(404, client.get("/b").response().status());
            assertEquals(301, client.get("/d").response().status());
            client.send(FileSite.request("GET", "/%61", "If-None-Match: " + tag));
            assertEquals(304, client.response().status());
            client.send(FileSite.request("GET", "/large", "Range: bytes=3-5"));
            assertEquals("345", client.response().text());
            client.send(FileSite.request("POST", "/a", "Content-Length: 0"));
            assertEquals(405, client.response().status());
        }
    }

    /** The folders of classes, not their jars, of which a folder for each would be made. */
    private static String classPath() {
        return Stream.of("target", "examples/extras/target", "examples/tools/target")
                .flatMap(folder -> Stream.of(folder + "/classes", folder + "/test-classes"))
                .map(folder -> Readme.ROOT.resolve(folder).toString()).collect(Collectors.joining(":"));
    }

    private static boolean works(String... command) throws Exception {
        if (!Programs.isInstalled(command[0])) {
            return false;
        }
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    /** Servers of one archive in each way. */
    static final class Serving {

        static final List<String> WAYS = List.of("", " --archive-inmem", " --archive-mmap", " --index-all",
                " --archive-mmap --index-all", " --watch");

        public static void main(String[] arguments) {
            for (String way : WAYS) {
                String[] words = ("serve --bind 127.0.0.1:0 --archive " + arguments[0] + way).split(" ");
                new Thread(() -> SiteArchive.run(System.out, System.err, words)).start();
            }
        }
    }

    /** The file has no name any more from the second round of requests on. */
    @Test
    void opensNoFileOnceItServes() throws Exception {
        assumeTrue(works("strace", "-f", "-o", "/dev/null", "true"), "no strace");
        Path archive = archive();
        Path trace = folder.resolve("trace");
        var server = new ServerProcess(new ProcessBuilder("strace", "-f", "-ttt", "-e",
                "trace=open,openat,creat", "-o", trace.toString(), Programs.JAVA, "-XX:-UsePerfData",
                "-XX:-UseContainerSupport", "-cp", classPath(), Serving.class.getName(), archive.toString()));
        List<Integer> ports = new ArrayList<>();
        double served;
        double ended;
        try {
            for (String way : Serving.WAYS) {
                ports.add(server.listening().port);
            }
            ask(ports, 1);
            Files.move(archive, folder.resolve("away"));
            served = System.currentTimeMillis() / 1e3;
            ask(ports, 20);
            ended = System.currentTimeMillis() / 1e3;
        } finally {
            server.process.descendants().forEach(ProcessHandle::destroy);
            assertTrue(server.process.waitFor(30, TimeUnit.SECONDS));
        }
        List<String> opened = Files.readAllLines(trace).stream()
                .filter(line -> line.contains("open")).toList();
        assertTrue(opened.stream().anyMatch(line -> line.contains(archive.toString())), "nothing is traced");
        // the C library reads this one when it returns memory
        Stream<String> later = opened.stream().filter(line -> time(line) > served && time(line) < ended)
                .filter(line -> !line.contains("/proc/sys/vm/overcommit_memory"));
        assertEquals(List.of(), later.toList());
    }

    private static void ask(List<Integer> ports, int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            for (int port : ports) {
                ask(port);
            }
        }
    }

    /** Each line begins with a thread's number and the time. */
    private static double time(String line) {
        return Double.parseDouble(line.split(" +")[1]);
    }

    /** With the JDK, its libraries and the classes; the launcher of the JDK needs /proc. */
    @Test
    void runsWhereNothingElseIs() throws Exception {
        assumeTrue(works("unshare", "-rm", "true") && Programs.isInstalled("chroot"), "no unshare");
        archive();
        String script = """
                set -e
                root=$1 java=$2 classes=$3
                libraries="/lib /lib64 /usr/lib /etc/java-*-openjdk"
                for needed in /proc $libraries "${java%/bin/java}" ${classes//:/ }; do
                    [ ! -e "$needed" ] || { mkdir -p "$root$needed"; mount --rbind "$needed" "$root$needed"; }
                done
                exec chroot "$root" "$java" -XX:-UsePerfData -cp "$classes" \\
                    org.microhttp.tools.sitearchive.SiteArchive serve \\
                    --bind 127.0.0.1:0 --archive /site.cdb
                """;
        var server = new ServerProcess(new ProcessBuilder("unshare", "-rm", "bash", "-c", script, "alone",
                folder.toString(), Programs.JAVA, classPath()));
        try {
            server.listening();
            ask(server.port);
        } finally {
            server.process.destroy();
            assertTrue(server.process.waitFor(30, TimeUnit.SECONDS));
        }
    }
}
