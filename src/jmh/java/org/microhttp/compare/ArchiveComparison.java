package org.microhttp.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.Children;
import org.microhttp.measure.ResultFile;

/**
 * SiteArchive. Its parts: how long it takes to make archives, how large they are, and whether all of each is
 * served as it was; an archive of one page beside none at all; and an archive beside servers of files.
 */
public final class ArchiveComparison extends Comparison {

    public static final Server NGINX = Server.nginx();
    public static final Server DUMMY = ours("dummy", " --dummy", "--dummy");
    static final Server MAPPED =
            ours("mapped", ", mapped", "--archive ARCHIVE --archive-mmap");

    /** lighttpd takes no more than half as many as it may have descriptors. */
    private static final int LIGHTTPD_CONNECTIONS = 10_000;

    /** nginx has 20,000 descriptors: it keeps all files of the tree open, unless connections need them. */
    private static final int FEW = 7_500, ALL_KEPT = 12_000, MOST = 17_500, SOME_KEPT = 2_000;

    /** What is told with an interval is measured more often. */
    private static final int DUMMY_CONNECTIONS = 100, DUMMY_ROUNDS = 4;

    /** Until all of many are connected, few requests are answered. */
    private static final int SECONDS_OF_MANY = 10;

    /** So many of all addresses are compared before they are asked for under load. */
    private static final int COMPARED = 20;

    private int count;
    private String tree;
    private List<String> parts;

    /** What is served in a part of the comparison. */
    private final Map<String, ArchivedTree> trees = new HashMap<>();

    private Path list;

    public ArchiveComparison() {
        super("archive", "archive.tsv", List.of(
                ours("memory", ", in memory", "--archive ARCHIVE --archive-inmem"), MAPPED,
                ours("memory-indexed", ", in memory, all indexes",
                        "--archive ARCHIVE --archive-inmem --index-all"),
                ours("mapped-indexed", ", mapped, all indexes",
                        "--archive ARCHIVE --archive-mmap --index-all"),
                DUMMY, NGINX, Server.lighttpd(Server.Kind.GUEST)));
    }

    /** An archive in memory is not in the heap. */
    private static Server ours(String name, String title, String flags) {
        return Server.java("archive-" + name, "SiteArchive" + title, Server.Kind.OURS,
                "-XX:MaxDirectMemorySize=3g org.microhttp.tools.sitearchive.SiteArchive serve " + flags
                + " --bind 127.0.0.1:PORT --threads THREADS --listen-backlog 16384 --timeout-disable");
    }

    @Override
    List<Case> cases(Arguments options) {
        parts = options.named("--parts", "part", List.of("sizes", "dummy", "load"));
        tree = options.take("--tree", null);
        count = options.integer("--files", "10000", "[1-9][0-9]{0,5}");
        List<String> contents = options.named("--contents", "content", List.of("one", "all"));
        List<Integer> connections =
                options.numbers("--connections", "16,128,512,2048,4096,16384", "[1-9][0-9]{0,4}");
        List<Case> cases = new ArrayList<>();
        cases.add(of("dummy", "hello", DUMMY_CONNECTIONS, 1));
        for (int threads : options.numbers("--threads", "1,2", "[1-9][0-9]?")) {
            for (String content : contents) {
                connections.forEach(number -> cases.add(of("load", content, number, threads)));
            }
        }
        return cases.stream().filter(asked -> parts.contains(asked.get("part"))).toList();
    }

    private static Case of(String part, String content, int connections, int threads) {
        return Case.of("part", part, "content", content, "connections", connections, "threads", threads);
    }

    @Override
    public boolean takesPart(Server server, Case asked) {
        if (asked.is("part", "dummy")) return server.isOurs();
        boolean tooMany = server.isGuest()
                && asked.connections() > LIGHTTPD_CONNECTIONS * asked.number("threads");
        return !server.equals(DUMMY) && !tooMany;
    }

    @Override
    public String title(Case asked) {
        String[] words = kind(asked).split(", ");
        return words[0] + ", " + asked.connections() + " connections, " + words[1];
    }

    /** {@return what is asked for, whatever the number of connections} */
    public static String kind(Case asked) {
        String content = switch (asked.get("content")) {
            case "hello" -> "a page of 13 B";
            case "one" -> "one address";
            default -> "all addresses";
        };
        int threads = asked.number("threads");
        return content + ", " + threads + (threads == 1 ? " thread" : " threads");
    }

    @Override
    void prepare(Plan plan, ResultFile result, List<String> problems) throws IOException {
        boolean made = tree == null;
        Path root = made ? plan.folder().resolve("tree") : Path.of(tree);
        Files.createDirectories(plan.folder());
        ArchivedTree whole = made ? ArchivedTree.make(root, count) : ArchivedTree.of(root);
        trees.put("load", whole);
        trees.put("dummy", ArchivedTree.hello(plan.folder().resolve("hello")));
        list = whole.list(plan.folder().resolve("urls.txt"));
        result.facts().put("tree", String.format(Locale.ROOT, "%,d files of %s", whole.files(),
                made ? "random words" : root.getFileName()));
        if (parts.contains("sizes")) new ArchiveSizes(plan, whole, result, problems).run();
        for (String part : List.of("load", "dummy")) {
            if (!parts.contains(part)) continue;
            List<String> command = ArchiveSizes.archive(trees.get(part), archive(plan, part), "identity");
            Children.succeed(command, plan.secondsAtMost());
        }
    }

    private static Path archive(Plan plan, String part) { return plan.folder().resolve(part + ".cdb"); }

    @Override
    Map<String, String> values(Plan plan, Server server, Case asked) {
        String part = asked.get("part");
        int threads = asked.number("threads");
        if (server.isJava()) {
            return Map.of("HEAP", "256m", "ARCHIVE", "" + archive(plan, part), "THREADS", "" + threads);
        }
        String root = trees.isEmpty() ? "/" : "" + trees.get(part).root();
        boolean many = server.equals(NGINX) && asked.isMany();
        return Programs.files(root, threads, many ? MOST : FEW, many ? SOME_KEPT : ALL_KEPT);
    }

    @Override
    List<ExpectedAnswer> expected(Case asked) throws IOException {
        ArchivedTree served = trees.get(asked.get("part"));
        boolean all = asked.is("content", "all");
        List<ExpectedAnswer> expected = new ArrayList<>();
        for (Path file : all ? served.shuffled() : List.of(served.ordinary())) {
            if (expected.size() == COMPARED) break;
            expected.add(ExpectedAnswer.of(all ? served.target(file) : target(asked), file, "identity"));
        }
        return expected;
    }

    @Override
    String options(Plan plan, Case asked) {
        return asked.is("content", "all") ? "at-random " + list : "";
    }

    @Override
    String target(Case asked) {
        return asked.is("content", "one") ? trees.get("load").target(trees.get("load").ordinary()) : "/";
    }

    @Override
    double seconds(Case asked, double ordinary) {
        return asked.isMany() && ordinary >= 1 ? Math.max(ordinary, SECONDS_OF_MANY) : ordinary;
    }

    @Override
    int rounds(Case asked, Server server, int ordinary) {
        return asked.is("part", "dummy") && ordinary > 1 ? DUMMY_ROUNDS * ordinary : ordinary;
    }
}
