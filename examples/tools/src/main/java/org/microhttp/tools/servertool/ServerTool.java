package org.microhttp.tools.servertool;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Logger;
import org.microhttp.Options;
import org.microhttp.Server;
import org.microhttp.Stats;
import org.microhttp.extras.accesslog.AccessLogger;
import org.microhttp.extras.metrics.ServerMonitor;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.commandline.Flags;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.processes.ChildProcess;
import org.microhttp.tools.processes.ProcessCommand;
import org.microhttp.tools.processes.ProcessGroup;
import org.microhttp.tools.reporting.Meter;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.reporting.Terminal;
import org.microhttp.tools.reporting.Transcript;

/**
 * A server as a program: reads the command line, starts the loops, says where they listen, prints what was
 * asked for, and ends in order on Ctrl-C or SIGTERM. What is wrong with the command line or the port is
 * printed in one line, and the exit code is 2 before anything is started; if a loop fails it is 1.
 */
public final class ServerTool {

    private static final String VERSION = "1.0.0";

    /** For each of the two steps of its end, after the grace. */
    private static final long LIMIT_MILLIS = 3000;

    private final Flags flags;
    private final HandlerMaker maker;

    /** Whether it ends with an exit code of its own, which {@link Leaving#last} must not change. */
    private volatile boolean failed;
    private PrintStream out;
    private PrintStream err;
    private LogMaker logMaker = line -> null;
    private OptionsChanger optionsChanger = (line, options) -> options;
    private Making making = (options, maker) -> maker.make(options);
    private Front front = loops -> loops;
    private Beginning beginning = (line, stats, report) -> { };
    private Function<CommandLine, Leaving> leavingMaker = line -> Leaving.within(Duration.ZERO);
    private String[] others = {};

    /** Null if it is always one process. */
    private ProcessCommand processCommand;

    /** Another flag for what {@code -v} asks for; null if there is none. */
    private Flag verbose;

    /** Makes the tool's handler, before anything is started. */
    @FunctionalInterface
    public interface HandlerMaker {

        /**
         * @throws IllegalArgumentException with a message for the user, if a flag is wrong
         * @throws IOException              if something cannot be read; the user is shown what and why
         */
        Handler make(CommandLine line) throws IOException;
    }

    /** Makes the tool's access log, before anything is started. */
    @FunctionalInterface
    public interface LogMaker {

        /**
         * @return the log, which is closed at the end; null for none
         * @throws IllegalArgumentException with a message for the user, if a flag is wrong
         */
        AccessLogger make(CommandLine line);
    }

    /** Changes by the tool's own flags what those of every tool ask for, before its handler is made. */
    @FunctionalInterface
    public interface OptionsChanger {

        /**
         * @return the options that the server is made with
         * @throws IllegalArgumentException with a message for the user, if a flag is wrong
         */
        Options change(CommandLine line, Options options);
    }

    /** Makes the server by what makes it of options, as {@link ServerMonitor#watch} does. */
    @FunctionalInterface
    public interface Making {

        /** @throws IOException if the port cannot be bound */
        Server make(Options options, ServerMonitor.Maker maker) throws IOException;
    }

    /** Opens what stands in front of the loops, when they have their port and serve nobody yet. */
    @FunctionalInterface
    public interface Front {

        /**
         * @param loops where the loops listen
         * @return where clients connect to
         */
        SocketAddress open(SocketAddress loops) throws IOException;
    }

    /** Begins what runs beside the loops, when they have the port and serve nobody yet. */
    @FunctionalInterface
    public interface Beginning {

        /**
         * @param stats  of the loops, from any thread
         * @param report where lines go
         * @throws IllegalArgumentException with a message for the user, if a flag is wrong
         */
        void begin(CommandLine line, Supplier<Stats> stats, Report report);
    }

    /** @param own the tool's flags, without those that every server tool takes */
    public ServerTool(String name, List<Flag> own, HandlerMaker maker) {
        flags = new Flags(name, Stream.concat(own.stream(), ServerFlags.ALL.stream()).toList());
        this.maker = maker;
    }

    /** Has an access log written. */
    public ServerTool withLog(LogMaker made) {
        logMaker = made;
        return this;
    }

    /** Has options changed by the tool. */
    public ServerTool withOptions(OptionsChanger changer) {
        optionsChanger = changer;
        return this;
    }

    /** Has something around the making of the server. */
    public ServerTool withMaking(Making made) {
        making = made;
        return this;
    }

    /** Has something stand in front of the loops. */
    public ServerTool withFront(Front made) {
        front = made;
        return this;
    }

    /** Has something begun with the loops. */
    public ServerTool withBeginning(Beginning made) {
        beginning = made;
        return this;
    }

    /**
     * Lets a flag ask for several processes on the port.
     *
     * @param main  the program's class
     * @param first what its arguments begin with, before those that {@link #run} is given
     */
    public ServerTool withProcesses(Flag flag, Class<?> main, String... first) {
        processCommand = new ProcessCommand(flag, main, List.of(first));
        return this;
    }

    /** Has a flag of the tool's own that asks for what {@code -v} does. */
    public ServerTool withVerbose(Flag another) {
        verbose = another;
        return this;
    }

    /** Lets requests take so long to be answered when it is told to end; default: none. */
    public ServerTool withGrace(Duration time) {
        return withLeaving(line -> Leaving.within(time));
    }

    /** Has flags say how it ends; called before anything is started. */
    public ServerTool withLeaving(Function<CommandLine, Leaving> maker) {
        leavingMaker = maker;
        return this;
    }

    /** Names in its help what else the program does, by what is typed. */
    public ServerTool withOthers(String... names) {
        others = names;
        return this;
    }

    /**
     * Runs it until it is ended.
     *
     * @return the exit code, with which {@code main} ends the program
     */
    public int run(PrintStream output, PrintStream errors, String... arguments) {
        out = output;
        err = errors;
        try {
            var line = new CommandLine(flags, arguments);
            if (line.has(ServerFlags.HELP)) {
                out.print(flags.help(others));
                return 0;
            }
            if (line.has(ServerFlags.VERSION)) {
                out.println(version(flags.program()));
                return 0;
            }
            return serve(line, arguments);
        } catch (IllegalArgumentException | IOException | OutOfMemoryError e) {
            // of the flags, or of what binds and takes the loops' buffers: nothing is started yet
            return fail(e, 2);
        } catch (IllegalStateException e) {
            // a loop failed, or its thread could not be started
            return fail(e.getCause() == null ? e : e.getCause(), 1);
        }
    }

    /** {@return the line that tells the version of a program} */
    public static String version(String program) {
        return program + " of microhttp " + VERSION + ", Java " + Runtime.version();
    }

    private int fail(Throwable cause, int status) {
        failed = true;
        err.println(flags.program() + ": " + Report.oneLine(InputFile.failure(cause)));
        return status;
    }

    private int serve(CommandLine line, String... arguments) throws IOException {
        boolean single = processCommand == null;
        int count = single ? 1 : line.number(processCommand.flag(), 1, 1, ProcessGroup.MOST);
        ServerSettings settings = ServerSettings.of(line, count)
                .with(options -> optionsChanger.change(line, options));
        Leaving leaving = leavingMaker.apply(line);
        var report = new Report(out, settings.format());
        if (count > 1 && ChildProcess.number() == 0) {
            long limit = leaving.millis() + 3 * LIMIT_MILLIS;
            var group = new ProcessGroup(flags.program(), processCommand.of(arguments), report.json, limit);
            return group.run(settings.options(), count,
                    port -> sayListening(report, settings, new InetSocketAddress(port)));
        }
        serve(line, count > 1 ? settings.with(ChildProcess::prepare) : settings, leaving, report);
        return 0;
    }

    private void serve(CommandLine line, ServerSettings settings, Leaving leaving, Report report)
            throws IOException {
        int verbosity = verbosity(line, settings);
        var transcript = new Transcript(report, verbosity, Terminal.wantsColour());
        Handler handler = maker.make(line);
        Handler shown = verbosity == 0 ? handler : transcript.around(handler);
        Logger logger = verbosity == 0 ? TlsFlags.quiet(line, err) : transcript;
        AccessLogger log = logMaker.make(line);
        ProgramClasses.load(ServerTool.class);
        ServerSettings logged = settings.with(options -> options.withExchangeListener(log));
        TlsSettings tls = TlsFlags.settings(line);
        try (Server server = making.make(logged.options(),
                options -> server(options, settings.threads(), logger, shown, tls))) {
            SocketAddress place = front.open(server.getAddress());
            Meter meter = settings.meter() ? new Meter(server::stats, report) : null;
            beginning.begin(line, server::stats, report);
            Runtime.getRuntime().addShutdownHook(hook(server, leaving, meter, log, report));
            sayListening(report, settings, place);
            if (meter != null) {
                meter.start(DaemonTimer.named("meter"));
            }
            server.start();
        }
    }

    /** @param meter null for none, as the log */
    private Thread hook(Server server, Leaving leaving, Meter meter, AccessLogger log, Report report) {
        return new Thread(() -> {
            var dropped = new AtomicInteger(-1);
            limited(leaving.millis() + LIMIT_MILLIS, () -> dropped.set(stop(server, leaving, meter)));
            limited(LIMIT_MILLIS, () -> close(log));
            if (!failed) {
                leaving.last().accept(report, dropped.get());
            }
        }, "shutdown");
    }

    /** @param tls null for none */
    private static Server server(Options options, int loops, Logger logger, Handler handler, TlsSettings tls)
            throws IOException {
        return tls == null ? new EventLoopGroup(options, logger, handler, loops)
                : new TlsServer(options, logger, handler, tls, loops);
    }

    private int verbosity(CommandLine line, ServerSettings settings) {
        boolean asked = verbose != null && line.has(verbose);
        return Math.max(asked ? 1 : 0, settings.verbosity());
    }

    private static void sayListening(Report report, ServerSettings settings, SocketAddress address) {
        if (report.json) {
            Map<String, Object> members = new TreeMap<>(settings.place(address));
            members.put("threads", settings.threads());
            report.event("listening", members);
        } else {
            report.text("listening on " + settings.shownPlace(address));
        }
    }

    private static int stop(Server server, Leaving leaving, Meter meter) {
        leaving.giveNotice();
        int dropped = server.stop(leaving.grace());
        if (meter != null) {
            meter.printTotals();
        }
        return dropped;
    }

    private static void close(AccessLogger log) {
        if (log != null) {
            log.close();
        }
    }

    /** What is not answered by then is not waited for, nor output that nobody reads. */
    private static void limited(long millis, Runnable ending) {
        var thread = new Thread(ending, "stopper");
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
