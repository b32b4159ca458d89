package org.microhttp.tools;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.microhttp.tools.accesslog.AccessLog;
import org.microhttp.tools.fileserver.FileServer;
import org.microhttp.tools.responseserver.ResponseServer;
import org.microhttp.tools.servertool.ServerTool;
import org.microhttp.tools.sitearchive.SiteArchive;

/**
 * All tools as one program, which the jar of this module runs: the first argument is the name of a tool, and
 * the others are the tool's. The exit code is the tool's, or 2 if there is none of that name.
 */
public final class Tools {

    private static final List<Tool> ALL = List.of(
            new Tool("respond", "responds as its flags describe: to test clients, to mock a service",
                    ResponseServer::run),
            new Tool("files", "serves a folder of files; \"files compress\" compresses them before",
                    FileServer::run),
            new Tool("archive", "\"archive archive\" makes one file of a site, \"archive serve\" serves it",
                    SiteArchive::run),
            new Tool("access-log", "answers every request, and writes an access log", AccessLog::run));

    private record Tool(String name, String purpose, Program program) {
    }

    @FunctionalInterface
    private interface Program {

        int run(PrintStream out, PrintStream err, String... args);
    }

    private Tools() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    static int run(PrintStream out, PrintStream err, String... args) {
        String name = args.length == 0 ? "" : args[0];
        for (Tool tool : ALL) {
            if (tool.name.equals(name)) {
                return tool.program.run(out, err, Arrays.copyOfRange(args, 1, args.length));
            }
        }
        return switch (name) {
            case "-h", "--help" -> {
                out.print(help());
                yield 0;
            }
            case "-V", "--version" -> {
                out.println(ServerTool.version("tools"));
                yield 0;
            }
            default -> {
                err.print(name.isEmpty() ? "" : "there is no tool of this name\n");
                err.print(help());
                yield 2;
            }
        };
    }

    private static String help() {
        return ALL.stream()
                .map(tool -> String.format("  %-10s  %s%n", tool.name, tool.purpose))
                .collect(Collectors.joining("", "usage: java -jar microhttp-tools.jar TOOL [FLAGS]\n",
                        "--help behind a tool lists its flags\n"));
    }
}
