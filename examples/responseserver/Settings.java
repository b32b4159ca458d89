package responseserver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * What the command line asks for, checked as a whole before anything is started. What is wrong with it is an
 * {@link IllegalArgumentException} whose message names the flag, what was given, and what is allowed.
 *
 * @param verbosity how often {@code -v} was given, at most 4 times
 */
record Settings(int threads, String host, Options options, Routes routes, Duration delay, boolean meter,
        int verbosity, boolean json) {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(us|ms|s|m|h)");
    private static final Map<String, ChronoUnit> UNITS = Map.of("us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS, "s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS);
    private static final Duration LONGEST_DELAY = Duration.ofHours(24);

    /** The method is a token, the target what the server lets through (RFC 9110 §5.6.2, RFC 9112 §3.2). */
    private static final Pattern ROUTE =
            Pattern.compile("(?s)([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*?|(?<=^OPTIONS )\\*)"
                    + "=([2-5][0-9]{2}):(.*)");
    private static final Pattern FIELD = Pattern.compile("(?s)([^:]*):[ \t]*(.*?)[ \t]*");

    /** A response of this status has no body (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
    private static final Set<Integer> BODILESS = Set.of(204, 205, 304);

    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

    static Settings of(CommandLine line) {
        String host = line.get(Flag.ADDRESS, null);
        check(host == null || !host.isBlank(), Flag.ADDRESS, host, "a name or an address");
        Duration delay = delay(line.get(Flag.DELAY, "0s"));
        int most = Integer.MAX_VALUE;
        Options options = new Options()
                .withHost(host)
                .withPort(number(line, Flag.PORT, 8080, 0, 65_535))
                .withReceiveBufferSize(number(line, Flag.RECEIVE_BUFFER_SIZE, 0, 1, most))
                .withSendBufferSize(number(line, Flag.SEND_BUFFER_SIZE, 0, 1, most))
                .withAcceptLength(number(line, Flag.LISTEN_BACKLOG, 0, 1, most))
                // a delay is no failure of the handler
                .withHandlerTimeout(delay.plusMinutes(5));
        String format = line.get(Flag.LOG_FORMAT, "text");
        check(Set.of("text", "json").contains(format), Flag.LOG_FORMAT, format, "text or json");
        int threads = number(line, Flag.THREADS, Runtime.getRuntime().availableProcessors(), 1, 1024);
        int verbosity = Math.min(line.all(Flag.VERBOSE).size(), 4);
        return new Settings(threads, host, options, routes(line), delay, line.has(Flag.METER), verbosity,
                format.equals("json"));
    }

    /** A star stands for every interface. */
    String shownHost() {
        return host == null ? "*" : host;
    }

    String shownHostAndPort(int port) {
        String shown = shownHost();
        boolean bare = shown.contains(":") && !shown.startsWith("[");
        return (bare ? "[" + shown + "]" : shown) + ":" + port;
    }

    private static Routes routes(CommandLine line) {
        List<Header> fields = line.all(Flag.HEADER).stream().map(Settings::field).toList();
        int status = number(line, Flag.STATUS, 200, 200, 599);
        var routes = new Routes(response(Flag.BODY, status, fields, line.get(Flag.BODY, "")));
        for (String route : line.all(Flag.ROUTE)) {
            Matcher parts = ROUTE.matcher(route);
            check(parts.matches(), Flag.ROUTE, route, "METHOD /PATH=STATUS:BODY, as in 'GET /a=200:ok'");
            int own = Integer.parseInt(parts.group(3));
            Response response = response(Flag.ROUTE, own, fields, parts.group(4));
            if (!routes.add(parts.group(1), parts.group(2), response)) {
                throw new IllegalArgumentException(Flag.ROUTE + " is given twice for " + parts.group(1) + " "
                        + parts.group(2));
            }
        }
        return routes;
    }

    private static Response response(Flag flag, int status, List<Header> fields, String body) {
        byte[] content = body.startsWith("@") ? read(flag, body.substring(1))
                : body.getBytes(StandardCharsets.UTF_8);
        if (content.length > 0 && BODILESS.contains(status)) {
            throw new IllegalArgumentException(flag + " gives a body, but a " + status + " has none");
        }
        return new Response(status, Reason.of(status), fields, content);
    }

    private static byte[] read(Flag flag, String file) {
        check(!file.isEmpty(), flag, "@", "text, or @ and the name of a file");
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (NoSuchFileException e) {
            throw unreadable(flag, file, "there is no such file");
        } catch (AccessDeniedException e) {
            throw unreadable(flag, file, "permission denied");
        } catch (FileSystemException e) {
            throw unreadable(flag, file, e.getReason());
        } catch (IOException | InvalidPathException e) {
            throw unreadable(flag, file, e.getMessage());
        } catch (OutOfMemoryError e) {
            throw unreadable(flag, file, "it does not fit into memory");
        }
    }

    private static IllegalArgumentException unreadable(Flag flag, String file, String why) {
        return new IllegalArgumentException(flag + " cannot read \"" + file + "\": " + why);
    }

    private static Header field(String text) {
        Matcher parts = FIELD.matcher(text);
        check(parts.matches(), Flag.HEADER, text, "'NAME: VALUE'");
        var field = new Header(parts.group(1), parts.group(2));
        if (FRAMING.contains(field.name().toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(Flag.HEADER + " is " + field.name()
                    + ", but the server frames the response, by the length of its body");
        }
        try {
            // the library's own check, for a message that names the flag
            new Response(200, "", List.of(field), new byte[0]);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Flag.HEADER + " \"" + text + "\": " + e.getMessage());
        }
        return field;
    }

    private static Duration delay(String text) {
        Matcher parts = TIME.matcher(text);
        Duration delay = parts.matches()
                ? Duration.of(Long.parseLong(parts.group(1)), UNITS.get(parts.group(2))) : null;
        check(delay != null && delay.compareTo(LONGEST_DELAY) <= 0, Flag.DELAY, text,
                "0us to 24h, in us, ms, s, m or h, as in 500us");
        return delay;
    }

    private static int number(CommandLine line, Flag flag, int otherwise, int least, int most) {
        return line.has(flag) ? number(flag, line.get(flag, ""), least, most) : otherwise;
    }

    private static int number(Flag flag, String text, int least, int most) {
        boolean digits = text.matches("[0-9]{1,10}");
        check(digits && Long.parseLong(text) >= least && Long.parseLong(text) <= most, flag, text,
                least + " to " + most);
        return Integer.parseInt(text);
    }

    private static void check(boolean valid, Flag flag, String given, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(flag + " is \"" + given + "\"; allowed: " + allowed);
        }
    }
}
