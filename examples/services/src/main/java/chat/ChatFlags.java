package chat;

import java.time.Duration;
import java.util.List;
import org.microhttp.extras.websocket.WebSocketOptions;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;

/** The flags of ChatServer alone. */
final class ChatFlags {

    private static final Flag MAX_PEOPLE = Flag.of("-n", "--max-people", "N",
            "connections to the chat at a time, 1 to 1000000; default 1000");

    private static final Flag ORIGIN = Flag.of("-o", "--origin", "ORIGIN",
            "pages from there may connect, as https://example.com; default: from the host that is asked")
            .repeated();

    private static final Flag PING = Flag.of("", "--ping", "TIME",
            "after so long a silent client is pinged, and after as long again given up; default 25s");

    static final List<Flag> ALL = List.of(MAX_PEOPLE, ORIGIN, PING);

    private static final Duration PING_DEFAULT = Duration.ofSeconds(25);

    private ChatFlags() {
    }

    static int maxPeople(CommandLine line) {
        return line.number(MAX_PEOPLE, 1000, 1, 1_000_000);
    }

    static Duration ping(CommandLine line) {
        Duration ping = line.time(PING, PING_DEFAULT);
        CommandLine.check(!ping.isZero(), PING, line.get(PING, ""), "more than 0, at most 24h");
        return ping;
    }

    static WebSocketOptions change(CommandLine line, WebSocketOptions options) {
        List<String> origins = line.all(ORIGIN);
        for (String origin : origins) {
            CommandLine.check(origin.matches("https?://[^/\\s]+"), ORIGIN, origin,
                    "http:// or https://, a host, and a port if it is not the usual one");
        }
        WebSocketOptions changed = options.withPingInterval(ping(line));
        return origins.isEmpty() ? changed : changed.withOrigins(origins::contains);
    }
}
