package org.microhttp.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.ResultFile;

/**
 * Our server beside others, all with one thread. nginx and HAProxy answer from their configuration; lighttpd
 * cannot, and answers from a file, as nginx does with a large body.
 */
public final class ServerComparison extends Comparison {

    private static final String LOAD = "org.microhttp.load.";

    public static final Server FLOOR =
            Server.java("floor", "JVM floor", Server.Kind.JVM, LOAD + "Floor PORT MODE");
    public static final Server OURS = Server.java("microhttp", "microhttp", Server.Kind.OURS,
            LOAD + "ThroughputServer PORT MODE");
    private static final Server FRESH = Server.java("microhttp-fresh", "microhttp, fresh", Server.Kind.OURS,
            LOAD + "ThroughputServer PORT fresh");
    private static final Server HAPROXY = new Server("haproxy", "HAProxy", Server.Kind.PROGRAM,
            "haproxy -db -q -f FOLDER/haproxy.conf");
    public static final Server JDK = Server.java("jdk", "JDK HttpServer", Server.Kind.JVM,
            "-Dsun.net.httpserver.nodelay=true -Dsun.net.httpserver.maxIdleConnections=4096 " + LOAD
                    + "JdkServer PORT");

    /** An ANSWER of nginx. */
    private static final String HELLO = "location / { return 200 \"hello world\\n\"; }";

    public ServerComparison() {
        super("compare", "comparison.tsv", List.of(FLOOR, OURS, FRESH, Server.nginx(), HAPROXY,
                Server.lighttpd(Server.Kind.PROGRAM), JDK));
    }

    @Override
    List<Case> cases(Arguments options) {
        List<Case> all = Stream.of(Scenario.values()).map(scenario -> Case.of("scenario", scenario.name,
                "connections", scenario.connections)).toList();
        List<String> names = options.named("--scenarios", "scenario", all.stream().map(this::title).toList());
        return all.stream().filter(asked -> names.contains(title(asked))).toList();
    }

    /**
     * Who makes the answer is asked in one scenario; proxies and file servers echo no body, and have no other
     * threads; a large body is a matter of ours and of those that send files.
     */
    @Override
    public boolean takesPart(Server server, Case asked) {
        Scenario scenario = Scenario.of(asked);
        return switch (server.name()) {
            case "floor", "microhttp" -> true;
            case "microhttp-fresh" -> scenario == Scenario.KEEP_ALIVE;
            case "jdk" -> scenario != Scenario.ASYNC && !scenario.isLarge();
            case "haproxy" ->
                scenario != Scenario.POST && scenario != Scenario.ASYNC && !scenario.isLarge();
            default -> scenario != Scenario.POST && scenario != Scenario.ASYNC;
        };
    }

    @Override
    public String title(Case asked) { return asked.get("scenario"); }

    @Override
    void prepare(Plan plan, ResultFile result, List<String> problems) throws IOException {
        for (Scenario scenario : List.of(Scenario.KEEP_ALIVE, Scenario.LARGE, Scenario.HUGE)) {
            Path file = folder(plan, scenario).resolve("plaintext");
            Files.createDirectories(file.getParent());
            Files.writeString(file, scenario.body);
        }
        for (Case asked : plan.cases()) {
            Scenario scenario = Scenario.of(asked);
            Files.writeString(requests(plan, asked), scenario.request.repeat(scenario.depth));
        }
    }

    private static Path folder(Plan plan, Scenario scenario) {
        return plan.folder().resolve(scenario.isLarge() ? "body" + scenario.body.length() : "hello");
    }

    private static Path requests(Plan plan, Case asked) {
        return plan.folder().resolve("request-" + Scenario.of(asked).name());
    }

    @Override
    Map<String, String> values(Plan plan, Server server, Case asked) {
        Scenario scenario = Scenario.of(asked);
        String root = "" + folder(plan, scenario);
        if (server.isJava()) return Map.of("HEAP", "256m", "ROOT", root, "MODE", mode(server, scenario));
        Map<String, String> values = new HashMap<>(Programs.files(root));
        if (!scenario.isLarge()) values.put("ANSWER", HELLO);
        return values;
    }

    private static String mode(Server server, Scenario scenario) {
        boolean ours = server.equals(OURS), moded = ours || server.equals(FLOOR);
        if (!moded) return "";
        return switch (scenario) {
            case LARGE, HUGE -> ours ? "direct ROOT/plaintext" : "body " + scenario.body.length();
            case ASYNC -> "async";
            case CLOSE -> ours ? "inline" : "close";
            case POST -> ours ? "inline" : "post " + scenario.request.length();
            default -> ours ? "inline" : "";
        };
    }

    @Override
    List<ExpectedAnswer> expected(Case asked) {
        Scenario scenario = Scenario.of(asked);
        byte[] body = scenario.body.getBytes(StandardCharsets.US_ASCII);
        return List.of(new ExpectedAnswer(scenario.request, body, scenario.depth));
    }

    @Override
    String options(Plan plan, Case asked) { return "request " + requests(plan, asked); }
}
