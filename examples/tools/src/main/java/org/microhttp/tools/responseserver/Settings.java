package org.microhttp.tools.responseserver;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.extras.representation.Reason;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.servertool.DaemonTimer;

/**
 * What the flags ask for, checked as a whole before anything is started. What is wrong with it is an
 * {@link IllegalArgumentException} whose message names the flag, what was given, and what is allowed.
 */
record Settings(Routes routes, Duration delay) {

    /** The method is a token, the target what the server lets through (RFC 9110 §5.6.2, RFC 9112 §3.2). */
    private static final Pattern ROUTE =
            Pattern.compile("(?s)([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*?|(?<=^OPTIONS )\\*)"
                    + "=([2-5][0-9]{2}):(.*)");

    private static final Pattern FIELD = Pattern.compile("(?s)([^:]*):[ \t]*(.*?)[ \t]*");

    /** A response of this status has no body (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
    private static final Set<Integer> BODILESS = Set.of(204, 205, 304);

    private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

    static Settings of(CommandLine line) {
        Pace pace = Pace.of(line);
        ScheduledExecutorService timer = pace.isOrdinary() ? null : DaemonTimer.named("pace");
        return new Settings(routes(line, (response, content) -> timer == null || content.length == 0
                ? response : PacedBody.of(response, content, pace, timer)), delay(line));
    }

    static Duration delay(CommandLine line) {
        return line.time(ResponseFlags.DELAY, Duration.ZERO);
    }

    private static Routes routes(CommandLine line, BiFunction<Response, byte[], Response> pacing) {
        List<Header> fields = line.all(ResponseFlags.HEADER).stream()
                .map(Settings::field)
                .toList();
        int status = line.number(ResponseFlags.STATUS, 200, 200, 599);
        String body = line.get(ResponseFlags.BODY, "");
        byte[] content = content(ResponseFlags.BODY, status, body);
        var routes = new Routes(pacing.apply(response(status, fields, content), content));
        for (String route : line.all(ResponseFlags.ROUTE)) {
            addRoute(routes, route, fields, pacing);
        }
        return routes;
    }

    private static Response response(int status, List<Header> fields, byte[] content) {
        return new Response(status, Reason.of(status), fields, content);
    }

    private static void addRoute(Routes routes, String route, List<Header> fields,
            BiFunction<Response, byte[], Response> pacing) {
        Matcher parts = ROUTE.matcher(route);
        CommandLine.check(parts.matches(), ResponseFlags.ROUTE, route,
                "METHOD /PATH=STATUS:BODY, as in 'GET /a=200:ok'");
        String method = parts.group(1);
        String target = parts.group(2);
        int status = Integer.parseInt(parts.group(3));
        byte[] content = content(ResponseFlags.ROUTE, status, parts.group(4));
        if (!routes.add(method, target, pacing.apply(response(status, fields, content), content))) {
            throw new IllegalArgumentException(
                    ResponseFlags.ROUTE + " is given twice for " + method + " " + target);
        }
    }

    private static byte[] content(Flag flag, int status, String body) {
        byte[] content = content(flag, body);
        if (content.length > 0 && BODILESS.contains(status)) {
            throw new IllegalArgumentException(flag + " gives a body, but a " + status + " has none");
        }
        return content;
    }

    private static byte[] content(Flag flag, String body) {
        if (!body.startsWith("@")) {
            return body.getBytes(StandardCharsets.UTF_8);
        }
        CommandLine.check(body.length() > 1, flag, body, "text, or @ and the name of a file");
        return InputFile.read(flag, body.substring(1));
    }

    private static Header field(String text) {
        Matcher parts = FIELD.matcher(text);
        CommandLine.check(parts.matches(), ResponseFlags.HEADER, text, "'NAME: VALUE'");
        String name = parts.group(1);
        if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(ResponseFlags.HEADER + " is " + name
                    + ", but the server frames the response, by the length of its body");
        }
        try {
            var field = new Header(name, parts.group(2));
            // the library's own check of what a response may have, for a message that names the flag
            new Response(200, "", List.of(field), new byte[0]);
            return field;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ResponseFlags.HEADER + " \"" + text + "\": " + e.getMessage());
        }
    }
}
