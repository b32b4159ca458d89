package org.microhttp.tools.servertool;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.microhttp.Options;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.reporting.Report;

/**
 * What the flags of every server tool ask for, checked before anything is started.
 *
 * @param verbosity how often {@code -v} was given, at most 4 times
 */
record ServerSettings(
        int threads, Options options, boolean meter, int verbosity, Report.Format format) {

    private static final Set<String> FORMATS = Set.of("text", "json");

    /** @param processes that share the processors */
    static ServerSettings of(CommandLine line, int processes) {
        int processors = Runtime.getRuntime().availableProcessors();
        return new ServerSettings(
                line.number(ServerFlags.THREADS, Math.max(1, processors / processes), 1, 1024),
                options(line),
                line.has(ServerFlags.METER),
                Math.min(line.all(ServerFlags.VERBOSE).size(), 4),
                format(line));
    }

    /** {@return the same with changed options} */
    ServerSettings with(UnaryOperator<Options> change) {
        return new ServerSettings(threads, change.apply(options), meter, verbosity, format);
    }

    private static String host(CommandLine line) {
        String host = line.get(ServerFlags.ADDRESS, null);
        boolean valid = host == null || !host.isBlank();
        CommandLine.check(valid, ServerFlags.ADDRESS, host, "a name or an address");
        return host;
    }

    private static Report.Format format(CommandLine line) {
        String format = line.get(ServerFlags.LOG_FORMAT, "text");
        CommandLine.check(FORMATS.contains(format), ServerFlags.LOG_FORMAT, format, "text or json");
        if (format.equals("json")) {
            return Report.Format.JSON;
        }
        return line.has(ServerFlags.LOG_TIME) ? Report.Format.TEXT_WITH_TIME : Report.Format.TEXT;
    }

    private static Options options(CommandLine line) {
        int most = Integer.MAX_VALUE;
        return new Options()
                .withHost(host(line))
                .withPort(line.number(ServerFlags.PORT, 8080, 0, 65_535))
                .withReceiveBufferSize(line.number(ServerFlags.RECEIVE_BUFFER_SIZE, 0, 1, most))
                .withSendBufferSize(line.number(ServerFlags.SEND_BUFFER_SIZE, 0, 1, most))
                .withAcceptLength(line.number(ServerFlags.LISTEN_BACKLOG, 0, 1, most));
    }

    /** Where it listens: the path of a socket, or host and port. */
    String shownPlace(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return address.toString();
        }
        String shown = shownHost();
        boolean bare = shown.contains(":") && !shown.startsWith("[");
        return (bare ? "[" + shown + "]" : shown) + ":" + inet.getPort();
    }

    /** The same as members of an object. */
    Map<String, Object> place(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                ? Map.of("host", shownHost(), "port", inet.getPort())
                : Map.of("path", address.toString());
    }

    /** As it was asked for; a star stands for every interface. */
    private String shownHost() {
        return options.host() == null ? "*" : options.host();
    }
}
