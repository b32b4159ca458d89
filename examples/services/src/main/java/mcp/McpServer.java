package mcp;

import java.io.PrintStream;
import java.time.Duration;
import java.util.*;
import org.microhttp.tools.servertool.*;

/** Tools for language models, by the Model Context Protocol; {@code --help} lists the flags. */
public final class McpServer {

    static final Map<String, Tool> TOOLS = new TreeMap<>(Map.of(
            "add", new Tool("Adds two integers.", Map.of("a", 1_000_000_000L, "b", 1_000_000_000L),
                    (arguments, call) -> arguments.get("a") + arguments.get("b")),
            "count", new Tool("Counts, and waits before each number.", Map.of("to", 100L, "wait_ms", 1_000L),
                    McpServer::count)));

    private static Object count(Map<String, Long> arguments, Call call) throws InterruptedException {
        for (long number = 1; number <= arguments.get("to"); number++) {
            Thread.sleep(arguments.get("wait_ms"));
            call.progress(number, arguments.get("to"));
        }
        return "counted to " + arguments.get("to");
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        // a call takes a connection, and a thread, of which there are 200 before Java 21
        return new ServerTool("McpServer", List.of(), line -> McpHandler.of(TOOLS))
                .withOptions((line, options) -> options.withHost(line.get(ServerFlags.ADDRESS, "localhost"))
                        .withMaxConnections(200).withMaxRequestSize(16 << 10))
                .withGrace(Duration.ofSeconds(20)).run(out, err, args);
    }
}
