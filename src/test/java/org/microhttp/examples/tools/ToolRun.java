package org.microhttp.examples.tools;

import accesslog.AccessLog;
import chat.ChatServer;
import edge.EdgeServer;
import fileserver.FileServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import notes.NotesServer;
import responseserver.ResponseServer;
import sitearchive.SiteArchive;

/** What a tool printed and returned in this JVM, for command lines with which it ends at once. */
public record ToolRun(int code, String output, String errors) {

    /** What every tool has, and its {@code main} calls. */
    private interface Tool {
        int run(PrintStream out, PrintStream err, String... arguments);
    }

    private static final Map<String, Tool> TOOLS = Map.of(
            "AccessLog", AccessLog::run,
            "ChatServer", ChatServer::run,
            "EdgeServer", EdgeServer::run,
            "FileServer", FileServer::run,
            "NotesServer", NotesServer::run,
            "ResponseServer", ResponseServer::run,
            "SiteArchive", SiteArchive::run);

    /** An argument without blanks, or one in single quotes. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    public static ToolRun of(String tool, String... arguments) {
        var output = new ByteArrayOutputStream();
        var errors = new ByteArrayOutputStream();
        int code = TOOLS.get(tool).run(print(output), print(errors), arguments);
        return new ToolRun(code, text(output), text(errors));
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
