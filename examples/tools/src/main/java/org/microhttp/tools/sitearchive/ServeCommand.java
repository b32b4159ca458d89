package org.microhttp.tools.sitearchive;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.microhttp.Handler;
import org.microhttp.Response;
import org.microhttp.Stats;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.servertool.DaemonTimer;
import org.microhttp.tools.servertool.ServerTool;
import org.microhttp.tools.sitearchive.serving.ServeCounts;
import org.microhttp.tools.sitearchive.serving.ServeSettings;
import org.microhttp.tools.sitearchive.serving.SiteHandler;

/** The part of the program that serves an archive, until it is ended. */
final class ServeCommand {

    /** For what is being sent when it is told to end. */
    private static final Duration GRACE = Duration.ofSeconds(8);

    private static final ServeCounts NONE = new ServeCounts(0, 0, 0, 0, 0, 0, 0);

    private Supplier<ServeCounts> counts = () -> NONE;

    int run(PrintStream out, PrintStream err, String... arguments) {
        return new ServerTool("SiteArchive serve", ServeFlags.ALL,
                line -> handler(line, err))
                .withOptions(ServeArguments::change)
                .withProcesses(ServeFlags.PROCESSES, SiteArchive.class, "serve")
                .withLog(ServeFlags.LOG::log)
                .withVerbose(ServeFlags.DEBUG)
                .withBeginning(this::begin)
                .withGrace(GRACE)
                .withOthers("SiteArchive archive")
                .run(out, err, arguments);
    }

    private Handler handler(CommandLine line, PrintStream err) {
        ServeSettings settings = ServeArguments.settings(line);
        if (settings == null) {
            var hello = new Response(200, "OK", List.of(),
                    "hello world!\n".getBytes(StandardCharsets.US_ASCII));
            return (request, callback) -> callback.accept(hello);
        }
        try {
            SiteHandler site = SiteHandler.open(settings, err);
            counts = site::counts;
            return site;
        } catch (IOException e) {
            // it names the archive
            throw new IllegalArgumentException(e.getMessage());
        }
    }

    private void begin(CommandLine line, Supplier<Stats> stats, Report report) {
        boolean one = line.has(ServeFlags.PROFILE_CPU) && line.get(ServeFlags.PROFILE_CPU, "")
                .equals(line.get(ServeFlags.PROFILE_MEMORY, ""));
        CommandLine.check(!one, ServeFlags.PROFILE_MEMORY, line.get(ServeFlags.PROFILE_MEMORY, ""),
                "another file than that of " + ServeFlags.PROFILE_CPU);
        Profile.start(line, ServeFlags.PROFILE_CPU, Profile.CPU);
        Profile.start(line, ServeFlags.PROFILE_MEMORY, Profile.MEMORY);
        if (line.has(ServeFlags.REPORT)) {
            new ServeReport(stats, counts, report).start(DaemonTimer.named("report"));
        }
    }
}
