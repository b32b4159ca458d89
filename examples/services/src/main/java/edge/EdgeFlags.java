package edge;

import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.Options;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.servertool.ServerFlags;

/** The flags of EdgeServer alone, and the options that they ask for. */
final class EdgeFlags {

    static final Flag NAME = Flag.of("-n", "--name", "TEXT",
            "what it calls itself in its answers; default: edge");

    static final Flag UNIX_SOCKET = Flag.of("-u", "--unix-socket", "PATH",
            "listen at a Unix domain socket in place of a port");

    static final Flag INHERITED_SOCKET = Flag.of("", "--inherited-socket", "",
            "listen at the socket that is its standard input, as systemd or inetd have it");

    static final Flag PROXY_PROTOCOL = Flag.of("", "--proxy-protocol", "",
            "expect the PROXY protocol on each connection, and take the client's address from it");

    static final Flag MAX_REQUESTS = Flag.of("", "--max-requests", "N",
            "requests of a connection before it is closed, from 1; default: any number");

    static final Flag DRAIN = Flag.of("", "--drain", "TIME",
            "serve on so long after SIGTERM, but say that it is not ready; default 0s, at most 24h");

    static final Flag GRACE = Flag.of("", "--grace", "TIME",
            "let requests take so long after that; default 20s, at most 24h");

    static final List<Flag> ALL = List.of(
            NAME, UNIX_SOCKET, INHERITED_SOCKET, PROXY_PROTOCOL, MAX_REQUESTS, DRAIN, GRACE);

    /** As long as the path of a Unix socket may be. */
    private static final int MAX_NAME = 106;

    private EdgeFlags() {
    }

    /** {@return the options with what was asked for} */
    static Options change(CommandLine line, Options options) {
        checkPlace(line);
        Options changed = options.withProxyProtocol(line.has(PROXY_PROTOCOL));
        if (line.has(UNIX_SOCKET)) {
            changed = changed.withUnixSocket(path(line.get(UNIX_SOCKET, "")));
        }
        if (line.has(INHERITED_SOCKET)) {
            // whoever made it chose the interface; none is to be shown
            changed = changed.withListener(inherited()).withHost(null);
        }
        if (line.has(MAX_REQUESTS)) {
            int most = line.number(MAX_REQUESTS, 1, 1, Integer.MAX_VALUE);
            changed = changed.withMaxRequestsPerConnection(most);
        }
        return changed;
    }

    private static ServerSocketChannel inherited() {
        try {
            if (System.inheritedChannel() instanceof ServerSocketChannel listener) {
                return listener;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(INHERITED_SOCKET + ": " + e);
        }
        throw new IllegalArgumentException(
                "no listening socket was inherited; allowed: one as standard input");
    }

    /** {@return the server's name, which is a word of a line} */
    static String name(CommandLine line) {
        String name = line.get(NAME, "edge");
        CommandLine.check(name.matches("[!-~]{1," + MAX_NAME + "}"), NAME, name,
                "1 to " + MAX_NAME + " visible characters of ASCII");
        return name;
    }

    /** There is one place to listen at. */
    private static void checkPlace(CommandLine line) {
        List<Flag> given = List.of(UNIX_SOCKET, INHERITED_SOCKET, ServerFlags.PORT).stream()
                .filter(line::has).toList();
        if (given.size() > 1) {
            throw new IllegalArgumentException(given.get(0) + " and " + given.get(1)
                    + " are two places to listen at; allowed: one");
        }
        if (line.has(ServerFlags.ADDRESS) && !given.isEmpty() && given.get(0) != ServerFlags.PORT) {
            throw new IllegalArgumentException(ServerFlags.ADDRESS + " is for a port, and "
                    + given.get(0) + " has none");
        }
    }

    private static Path path(String text) {
        try {
            Path path = Path.of(text);
            CommandLine.check(!text.isEmpty(), UNIX_SOCKET, text, "the path of a socket");
            return path;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(UNIX_SOCKET + " is no path: " + e.getMessage());
        }
    }
}
