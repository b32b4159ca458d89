package org.microhttp.documents;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What programs could see of the original microhttp (github.com/ebarlas/microhttp), so that code that was
 * written for it compiles: types and signatures, as its sources of the tags v0.2 to v0.11 have them. There is
 * nothing behind them.
 *
 * @param minor the version behind "0."
 */
record OriginalApi(int minor) {

    static final int FIRST = 2;
    static final int LAST = 11;

    /** A method of a class, without its body. */
    private static final Pattern METHOD = Pattern.compile("(?m)^( *(?:public|static) [^{;]*);$");

    /** An option: its type and its name. */
    private record Option(String type, String name) {

        String field() {
            return type + " " + name;
        }

        String accessor() {
            return "public " + field() + "();";
        }

        String setter(String owner) {
            String upper = name.substring(0, 1).toUpperCase() + name.substring(1);
            return "public " + owner + " with" + upper + "(" + field() + ");";
        }
    }

    private boolean isIn(int first, int last) {
        return first <= minor && minor <= last;
    }

    /** The sources, by the simple name of their type. */
    Map<String, String> sources() {
        Map<String, String> types = new TreeMap<>();
        types.put("Header", "public record Header(String name, String value) { }");
        types.put("LogEntry", "public record LogEntry(String key, String value) { }");
        types.put("Request", """
                public record Request(String method, String uri, String version, List<Header> headers,
                        byte[] body) {
                    public String header(String name);
                    public boolean hasHeader(String name, String value);
                }
                """);
        types.put("Response", """
                public record Response(int status, String reason, List<Header> headers, byte[] body) {
                    public boolean hasHeader(String name);
                }
                """);
        types.put("Handler", """
                public interface Handler {
                    void handle(Request request, Consumer<Response> callback);
                }
                """);
        types.put("EventLoop", eventLoop());
        putLoggers(types);
        putOptions(types);
        String head = "package org.microhttp; import java.io.IOException; import java.time.Duration; "
                + "import java.util.List; import java.util.function.Consumer;\n";
        types.replaceAll((name, type) -> head + METHOD.matcher(type).replaceAll("$1 { throw null; }"));
        return types;
    }

    private String eventLoop() {
        return String.join("\n", "public class EventLoop {",
                "public EventLoop(Handler handler) throws IOException { }",
                "public EventLoop(Options options, Handler handler) throws IOException { }",
                "public EventLoop(Options options, Logger logger, Handler handler) throws IOException { }",
                "public int getPort() throws IOException;",
                isIn(2, 3) ? "public void start() throws IOException;" : "public void start();",
                isIn(4, 7) ? "public void doStart() throws IOException;" : "",
                "public void stop();",
                isIn(8, 11) ? "public void join() throws InterruptedException;" : "",
                "}");
    }

    private void putLoggers(Map<String, String> types) {
        types.put("Logger", """
                public interface Logger {
                    boolean enabled();
                    void log(LogEntry... entries);
                    void log(Exception e, LogEntry... entries);
                }
                """);
        String methods = """
                public boolean enabled();
                public void log(LogEntry... entries);
                public void log(Exception e, LogEntry... entries);
                """;
        types.put("DebugLogger", "public class DebugLogger implements Logger {\n" + methods + "}");
        if (isIn(10, 11)) {
            types.put("NoopLogger", "public final class NoopLogger implements Logger {\n" + methods
                    + "private NoopLogger() { }\npublic static Logger instance();\n}");
        }
    }

    private void putOptions(Map<String, String> types) {
        List<Option> all = options();
        if (isIn(2, 9)) {
            List<String> lines = new ArrayList<>();
            all.forEach(option -> lines.add(option.accessor()));
            all.forEach(option -> lines.add(option.setter("Options")));
            types.put("Options", "public class Options {\n" + String.join("\n", lines) + "\n}");
            return;
        }
        types.put("Options", "public record Options(" + all.stream().map(Option::field).collect(joining(", "))
                + ") {\n" + (isIn(11, 11) ? "public " : "") + "static OptionsBuilder builder();\n}");
        types.put("OptionsBuilder", "public class OptionsBuilder {\nprivate OptionsBuilder() { }\n"
                + "public static OptionsBuilder newBuilder();\npublic Options build();\n"
                + all.stream().map(option -> option.setter("OptionsBuilder")).collect(joining("\n")) + "\n}");
    }

    /** In the order of the record's components. */
    private List<Option> options() {
        List<Option> all = new ArrayList<>(List.of(new Option("String", "host"), new Option("int", "port"),
                new Option("boolean", "reuseAddr"), new Option("boolean", "reusePort"),
                new Option("Duration", "resolution"),
                new Option("Duration", isIn(2, 6) ? "socketTimeout" : "requestTimeout"),
                new Option("int", "readBufferSize"), new Option("int", "acceptLength"),
                new Option("int", "maxRequestSize")));
        if (isIn(8, 11)) all.add(new Option("int", "concurrency"));
        return all;
    }
}
