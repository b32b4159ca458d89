package org.microhttp.tools.testing;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a tool printed and returned in this JVM, for command lines with which it ends at once. */
public record ToolRun(int code, String output, String errors) {

    private static final Map<String, String> TOOLS = Map.of(
            "AccessLog", "org.microhttp.tools.accesslog.AccessLog",
            "ChatServer", "chat.ChatServer",
            "EdgeServer", "edge.EdgeServer",
            "FileServer", "org.microhttp.tools.fileserver.FileServer",
            "McpServer", "mcp.McpServer",
            "NotesServer", "notes.NotesServer",
            "ResponseServer", "org.microhttp.tools.responseserver.ResponseServer",
            "SiteArchive", "org.microhttp.tools.sitearchive.SiteArchive");

    /** An argument without blanks, or one in single quotes. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    public static ToolRun of(String tool, String... arguments) {
        var output = new ByteArrayOutputStream();
        var errors = new ByteArrayOutputStream();
        int code = run(TOOLS.get(tool), print(output), print(errors), arguments);
        return new ToolRun(code, text(output), text(errors));
    }

    /**
     * By its name, since services are tools of another module. Every tool has this, and its main calls it.
     */
    private static int run(String type, PrintStream out, PrintStream err, String... arguments) {
        try {
            return (int) Class.forName(type)
                    .getMethod("run", PrintStream.class, PrintStream.class, String[].class)
                    .invoke(null, out, err, arguments);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type, e);
        }
    }

    /** Takes a command line, without a shell: {@code EdgeServer --name 'a b'}. */
    public static ToolRun ofLine(String line) {
        Stream<MatchResult> words = WORD.matcher(line.translateEscapes()).results();
        String[] all = words.map(word -> word.group(word.group(1) == null ? 2 : 1)).toArray(String[]::new);
        return of(all[0], Stream.of(all).skip(1).toArray(String[]::new));
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
