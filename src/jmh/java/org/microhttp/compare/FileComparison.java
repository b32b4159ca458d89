package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;

/**
 * FileServer beside other servers of files, each with one thread or process that serves. Its parts: the
 * matrix; by ab, the form in which the oldest of these benchmarks were published; files for a client that
 * takes gzip; a file of 5 GB; the library alone, by what its body is; a file that is not in the page cache.
 */
public final class FileComparison extends Comparison {

    public static final Server NGINX = Server.nginx(), ARRAY = body("array", "byte[]");
    private static final Server FILES = fileServer("fileserver", "FileServer, from files", "0");
    private static final Server MEMORY = fileServer("fileserver-memory", "FileServer, from memory", "64m");

    /** By time, or by a number of requests, as the oldest of these benchmarks were once. */
    private static final String AB = "ab -q -c CONNECTIONS MODE URL", TIMED = "-t SECONDS -n 10000000",
            COUNTED = "-t 120 -n 500000";

    private static final String COLD = "java -XX:+UseSerialGC -Xms64m -Xmx64m -cp CLASSES "
            + "org.microhttp.load.PlainClient PORT /cold.bin /99.bin";

    /** http.server has a listen queue of 5, and its next client waits a second. */
    private static final int PYTHON_CONNECTIONS = 20;

    /** Where answers are large, a run ends in the middle of many. */
    private static final long LARGE = 100_000;

    private MeasuredSite site;

    public FileComparison() {
        super("files", "files.tsv", List.of(FILES, MEMORY, NGINX, Server.lighttpd(Server.Kind.GUEST),
                new Server("apache2", "Apache", Server.Kind.GUEST,
                        "apache2 -d FOLDER -f FOLDER/apache2.conf -DFOREGROUND"),
                new Server("python3", "Python http.server", Server.Kind.GUEST,
                        "python3 -m http.server --bind 127.0.0.1 --directory ROOT PORT"),
                ARRAY, body("direct", "direct buffer"), body("file", "region of a file")));
    }

    private static Server fileServer(String name, String title, String memory) {
        return Server.java(name, title, Server.Kind.OURS,
                "org.microhttp.tools.fileserver.FileServer --root ROOT --cache CACHE "
                + "--memory " + memory + " --threads 1 --address 127.0.0.1 --port PORT "
                + "--listen-backlog 16384");
    }

    private static Server body(String kind, String title) {
        return Server.java("body-" + kind, "library, " + title, Server.Kind.JVM,
                "org.microhttp.load.ThroughputServer PORT " + kind + " ROOT/1.5m.bin");
    }

    @Override
    List<Case> cases(Arguments options) {
        List<String> parts =
                options.named("--parts", "part",
                        List.of("matrix", "oldest", "coded", "huge", "bodies", "cold"));
        List<String> sizes = options.named("--sizes", "size", List.of("99", "1.7k", "100k", "1.5m", "mix"));
        List<Integer> connections =
                options.numbers("--connections", "1,2,20,100,500,10000", "[1-9][0-9]{0,4}");
        List<String> kept = options.named("--persistence", "persistence", List.of("keep-alive", "close"));
        List<Case> cases = new ArrayList<>();
        for (String tls : options.named("--tls", "choice", List.of("no", "yes"))) {
            String transport = tls.equals("no") ? "plain" : "TLS";
            for (String persistence : kept) {
                sizes.forEach(size -> connections.forEach(count ->
                        cases.add(of("matrix", size, count, persistence, transport))));
                if (!options.isBrief()) {
                    cases.add(of("oldest", "99", 2, persistence, transport));
                    cases.add(of("oldest", "1.5m", 2, persistence, transport));
                }
                boolean counted = persistence.equals("keep-alive") && transport.equals("plain");
                if (counted) cases.add(of("oldest", "1.7k", 20, persistence, transport));
            }
        }
        cases.add(of("coded", "mix-gzip", 100, "keep-alive", "plain"));
        cases.add(of("huge", "5g", 1, "keep-alive", "plain"));
        if (!options.isBrief()) cases.add(of("bodies", "1.5m", 1, "keep-alive", "plain"));
        cases.add(of("bodies", "1.5m", 20, "keep-alive", "plain"));
        for (String cache : List.of("cold", "warm")) cases.add(Case.of("part", "cold", "cache", cache));
        return cases.stream().filter(asked -> parts.contains(asked.get("part")) && !isOut(asked)).toList();
    }

    private static Case of(String part, String content, int connections, String persistence,
                           String transport) {
        return Case.of("part", part, "content", content, "connections", connections,
                "persistence", persistence, "transport", transport);
    }

    /** 15 GB on their way at once are a matter of the kernel's memory; 10,000 handshakes take seconds. */
    private static boolean isOut(Case asked) {
        FileContent content = FileContent.of(asked);
        boolean small = content == FileContent.TINY || content == FileContent.SMALL;
        boolean handshakes = asked.isTls() && (isClosed(asked) || !small);
        return asked.isMany() && (content == FileContent.LARGE || handshakes);
    }

    private static boolean isClosed(Case asked) { return asked.is("persistence", "close"); }

    /** Whether ab makes a number of requests, instead of as many as there are in a time. */
    private static boolean isCounted(Case asked) {
        return asked.is("part", "oldest") && asked.is("content", "1.7k");
    }

    /**
     * Only nginx and FileServer have the variants that are asked for; http.server speaks HTTP/1.0 and closes
     * each connection.
     */
    @Override
    public boolean takesPart(Server server, Case asked) {
        boolean library = server.name().startsWith("body-");
        return switch (asked.get("part")) {
            case "bodies" -> library;
            case "coded" -> server.isOurs() || server.equals(NGINX);
            case "matrix", "oldest" ->
                !library && (!server.name().equals("python3") || isForPython(asked));
            default -> server.equals(FILES) || server.equals(NGINX);
        };
    }

    private static boolean isForPython(Case asked) {
        return asked.is("part", "matrix") && isClosed(asked) && !asked.isTls()
                && asked.connections() <= PYTHON_CONNECTIONS;
    }

    @Override
    public String title(Case asked) {
        if (asked.is("part", "cold")) {
            return FileContent.COLD.title + ", " + asked.get("cache") + ": how long a small file takes";
        }
        return row(asked) + (asked.is("part", "oldest") ? ", ab" : "");
    }

    /** {@return what a case is called beside others of its part} */
    public String row(Case asked) {
        int count = asked.connections();
        return FileContent.of(asked).title + ", " + count + (count == 1 ? " connection, " : " connections, ")
                + kind(asked);
    }

    /** {@return how a file is asked for} */
    public static String kind(Case asked) { return asked.get("persistence") + ", " + asked.get("transport"); }

    @Override
    void prepare(Plan plan, ResultFile result, List<String> problems) throws IOException {
        site = new MeasuredSite(plan.folder());
        // the tiny one is what others ask for while a large one is sent
        site.prepare(Stream.concat(Stream.of(FileContent.TINY), plan.cases().stream().map(FileContent::of))
                .distinct().toList());
    }

    @Override
    Map<String, String> values(Plan plan, Server server, Case asked) {
        var measured = new MeasuredSite(plan.folder());
        if (!server.isJava()) return Programs.files("" + measured.root());
        // the file of 5 GB must not need a heap
        String heap = asked.is("part", "huge") ? "64m" : "256m";
        return Map.of("HEAP", heap, "ROOT", "" + measured.root(), "CACHE", "" + measured.cache());
    }

    @Override
    List<ExpectedAnswer> expected(Case asked) throws IOException {
        FileContent content = FileContent.of(asked);
        if (content.size > 0) {
            return List.of(ExpectedAnswer.of(content.target(), site.file(content), "identity"));
        }
        List<ExpectedAnswer> expected = new ArrayList<>();
        boolean gzip = content == FileContent.GZIP;
        for (String url : Files.readAllLines(site.list()).subList(0, 20)) {
            String name = url.substring(url.indexOf("/mix/") + 1);
            Path variant = site.cache().resolve(name + ".gz");
            Path file = gzip && Files.exists(variant) ? variant : site.root().resolve(name);
            expected.add(ExpectedAnswer.of("/" + name, file, gzip ? "gzip" : "identity"));
        }
        return expected;
    }

    @Override
    String options(Plan plan, Case asked) {
        FileContent content = FileContent.of(asked);
        return (isClosed(asked) ? "close " : "") + (content == FileContent.GZIP ? "gzip " : "")
                + (content.size == 0 ? "in-order " + site.list() : "");
    }

    @Override
    String target(Case asked) {
        FileContent content = FileContent.of(asked);
        return content.size == 0 ? "/" : content.target();
    }

    @Override
    String load(Case asked) {
        if (asked.is("part", "cold")) return COLD;
        if (!asked.is("part", "oldest")) return WRK;
        String most = isCounted(asked) ? COUNTED : TIMED;
        return AB.replace("MODE", isClosed(asked) ? most : "-k " + most);
    }

    /** The same, but for a time. */
    @Override
    Case warming(Case asked) {
        if (!asked.is("part", "oldest")) return asked;
        return of("matrix", asked.get("content"), asked.connections(), asked.get("persistence"),
                asked.get("transport"));
    }

    /** Has the kernel forget the pages of the cold file, which it does for those that are on the disk. */
    @Override
    void before(Case asked) throws IOException {
        if (!asked.is("cache", "cold")) return;
        Children.run(List.of("dd", "of=" + site.file(FileContent.COLD), "oflag=nocache",
                "conv=notrunc,fdatasync", "count=0"), 60);
    }

    /** What each of many, or a large one, needs more than the others. */
    @Override
    double seconds(Case asked, double ordinary) {
        if (asked.is("part", "huge")) return 4 * ordinary;
        // a download is not interrupted
        if (asked.is("part", "cold")) return Math.max(1, ordinary);
        if (!asked.isMany()) return ordinary;
        return asked.isTls() ? 15 * ordinary : 3 * ordinary;
    }

    /** Guests are measured once, to say who is ahead; where a run is long there are fewer. */
    @Override
    int rounds(Case asked, Server server, int ordinary) {
        if (server.isGuest() || isCounted(asked)) return 1;
        if (!asked.isMany()) return ordinary;
        return asked.isTls() ? 1 : Math.min(2, ordinary);
    }

    /** Whole answers or, of large ones, as many as the bytes would be; a cold file is one. */
    @Override
    public double answers(Row row) {
        if (!row.text("cache").isEmpty()) return 1;
        long size = FileContent.of(Case.of(row)).size;
        return size < LARGE ? row.number("requests") : row.number("bytes") / size;
    }
}
