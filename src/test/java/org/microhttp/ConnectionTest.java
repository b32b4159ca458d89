package org.microhttp;

import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.time.Duration;
import java.util.*;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;
import org.microhttp.wire.model.VectorFile;

/**
 * R3, R4b, R4c, R16, R17: stories of connections, step by step, in connections.txt, which explains its
 * notation. At the end of each story all connections are closed and all requests answered: then nothing is
 * charged, every place is free, and the log had every exchange before its connection ended.
 */
class ConnectionTest extends ConnectionFixture {

    private static final Pattern MACRO = Pattern.compile("\\{([^{}]*)\\}(?:\\*(\\d+))?");

    private final List<ScriptedLoop.Client> clients = new ArrayList<>();

    /** Every exchange that was logged when its connection had ended. */
    private final List<String> late = new ArrayList<>();
    private int exchanges;
    private int received;
    private int writes;
    private long budgetTaken;

    record Story(String name, List<String> steps) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Story> stories() {
        return Stream.of(VectorFile.text("/connections.txt").split("\n{2,}"))
                .filter(paragraph -> !paragraph.startsWith("#")).map(paragraph -> {
                    List<String> lines = paragraph.lines().toList();
                    return new Story(lines.get(0), lines.subList(1, lines.size()));
                });
    }

    @ParameterizedTest
    @MethodSource("stories")
    void storyGoesAsItStates(Story story) throws Exception {
        Iterator<String> steps = story.steps.iterator();
        boolean hasOptions = story.steps.get(0).startsWith("with ");
        open(hasOptions ? steps.next().substring(5) : "");
        while (steps.hasNext()) {
            String step = steps.next();
            try {
                take(step);
            } catch (AssertionError e) {
                throw new AssertionError(step + ": " + e.getMessage(), e);
            }
        }
        endAll();
    }

    private void open(String settings) throws Exception {
        Options options = new Options().withMaxBufferedBytes(2 << 20);
        for (String setting : settings.isEmpty() ? new String[0] : settings.split(", ")) {
            String[] pair = setting.split(" ");
            String name = pair[0].substring(0, 1).toUpperCase(Locale.ROOT) + pair[0].substring(1);
            options = set(options, "with" + name, pair[1]);
        }
        loop = new ScriptedLoop(options, this::handle);
        loop.log.hook = name -> {
            if (name.equals("exchange")) noteExchange();
        };
        connect();
    }

    private static Options set(Options options, String setter, String value) throws Exception {
        for (var method : Options.class.getMethods()) {
            if (!method.getName().equals(setter)) continue;
            Class<?> type = method.getParameterTypes()[0];
            Object argument = type == Duration.class ? duration(value)
                    : type == int.class ? (Object) Integer.valueOf(value) : (Object) Long.valueOf(value);
            return (Options) method.invoke(options, argument);
        }
        throw new IllegalArgumentException(setter);
    }

    private static Duration duration(String text) {
        return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    }

    private void connect() throws IOException {
        client = loop.connect();
        clients.add(client);
        received = 0;
        writes = 0;
    }

    private void noteExchange() {
        var event = exchanges().get(exchanges().size() - 1);
        var its = clients.get(Integer.parseInt(event.value("id")));
        if (its.isClosed() || its.channel.outputEnded) late.add("" + event);
    }

    private List<RecordingLogger.Event> exchanges() {
        return loop.log.events().stream().filter(event -> event.name().equals("exchange")).toList();
    }

    /** What the handler does with a target is in connections.txt. */
    private void handle(Request request, Consumer<Response> callback) {
        String target = request.target();
        if (target.startsWith("/stream")) {
            var publisher = new ScriptedPublisher().answer(List.of(body("/x" + target.substring(7))));
            callback.accept(new Response(200, List.of(), Body.of(publisher)));
            return;
        }
        if (!target.startsWith("/do?")) {
            List<Header> headers = target.equals("/closing") ? List.of(new Header("Connection", "close"))
                    : List.of();
            byte[] body = (body(target) + new String(request.body())).getBytes();
            callback.accept(new Response(200, "OK", headers, body));
            return;
        }
        for (String action : target.substring(4).split(",")) {
            String[] pair = action.split(":");
            switch (pair[0]) {
                case "here" -> callback.accept(TestServer.ok(pair[1]));
                case "elsewhere" -> elsewhere(() -> callback.accept(TestServer.ok(pair[1])));
                case "throw" -> throw new IllegalStateException("on purpose");
                case "block" -> loop.blockFor(duration(pair[1]));
                default -> throw new IllegalStateException(action);
            }
        }
    }

    private static String body(String target) {
        return target.matches("/x\\d+") ? "x".repeat(Integer.parseInt(target.substring(2))) : target;
    }

    private static String request(String macro) {
        if (!macro.contains("/")) return macro;
        String[] words = macro.split(" ");
        String method = words[0].startsWith("/") ? "GET" : words[0];
        String target = words[0].startsWith("/") ? words[0] : words[1];
        String get = macro.endsWith(" close") ? closing(target) : get(target);
        return get.replace("GET", method);
    }

    private static String answer(String macro) {
        if (macro.equals("100")) return "HTTP/1.1 100 Continue\r\n\r\n";
        if (macro.startsWith("HEAD ")) return ok(macro.substring(5)).replaceFirst("(?s)(\r\n\r\n).*", "$1");
        String body = body(macro.replace(" close", ""));
        return macro.endsWith(" close") ? lastOk(body) : ok(body);
    }

    private static String expand(String text, UnaryOperator<String> macros) {
        String whole = text.replace("\\r", "\r").replace("\\n", "\n").replace("\\s", " ")
                .replace("\\x01", "\u0001");
        for (Matcher macro = MACRO.matcher(whole); macro.find(); macro = MACRO.matcher(whole)) {
            int times = macro.group(2) == null ? 1 : Integer.parseInt(macro.group(2));
            whole = whole.substring(0, macro.start()) + macros.apply(macro.group(1)).repeat(times)
                    + whole.substring(macro.end());
        }
        return whole;
    }

    private void take(String step) throws Exception {
        int space = (step + " ").indexOf(' ');
        String word = step.substring(0, space);
        String rest = step.substring(Math.min(step.length(), space + 1));
        if (!send(word, rest) && !control(word, rest) && !check(word, rest) && !count(word, rest)) {
            throw new IllegalArgumentException(step);
        }
    }

    private boolean send(String word, String rest) {
        ScriptedPeer peer = client.channel;
        switch (word) {
            case ">" -> client.turn(expand(rest, ConnectionTest::request));
            case ">." -> expand(rest, ConnectionTest::request).chars()
                    .forEach(c -> client.turn("" + (char) c));
            case "pending" -> peer.send(expand(rest, ConnectionTest::request));
            case "room" -> peer.room = rest.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(rest);
            case "reads" -> readSlowly(Stream.of(rest.split(" ")).mapToInt(Integer::parseInt).toArray());
            case "take" -> peer.take(Stream.of(rest.split(" ")).mapToInt(Integer::parseInt).toArray());
            case "end" -> peer.end();
            case "reset" -> peer.reset();
            default -> {
                return false;
            }
        }
        return true;
    }

    private void readSlowly(int[] bytesAndSeconds) {
        for (int i = 0; i < bytesAndSeconds[1] && !client.isClosed(); i++) {
            client.channel.room = bytesAndSeconds[0];
            client.turn();
            client.channel.room = 0;
            loop.passTime(Duration.ofSeconds(1));
        }
    }

    private boolean control(String word, String rest) throws IOException {
        switch (word) {
            case "client" -> connect();
            case "turn" -> client.turn();
            case "drain" -> client.drain();
            case "timeout" -> client.timeOut();
            case "tasks" -> loop.runTasks();
            case "pass" -> loop.passTime(duration(rest));
            case "leave" -> loop.leave();
            case "stop" -> client.connection.free();
            case "answer" -> {
                elsewhere(rest);
                loop.runTasks();
            }
            case "elsewhere" -> elsewhere(rest);
            case "budget" -> takeBudget(rest.equals("full"));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void elsewhere(String numberAndBody) {
        String[] words = numberAndBody.split(" ");
        Consumer<Response> callback = loop.later.get(Integer.parseInt(words[0]));
        elsewhere(() -> callback.accept(TestServer.ok(words[1])));
    }

    private void takeBudget(boolean all) {
        loop.context.group.bytes.release(budgetTaken);
        budgetTaken = all ? loop.context.group.bytes.left() : 0;
        assertTrue(loop.context.group.bytes.tryTake(budgetTaken));
    }

    private boolean check(String word, String rest) throws IOException {
        String news = client.received().substring(received);
        String expected = expand(rest, ConnectionTest::answer);
        switch (word) {
            case "<" -> assertEquals(expected, news);
            case "<<" -> {
                assertTrue(news.startsWith(expected), news);
                received += expected.length();
                return true;
            }
            case "refused" -> {
                String[] words = rest.split(" ");
                String form = "HTTP/1.1 " + words[0] + " [^\r]*\r\n(?s:.*)\r\n\r\n" + words[1] + ": [^\n]*\n";
                assertTrue(news.matches(form), news);
                assertEquals(!rest.endsWith(" persists"), news.contains("\r\nConnection: close\r\n"));
            }
            case "=" -> checkState(rest);
            default -> {
                return false;
            }
        }
        if (!word.equals("=")) received += news.length();
        return true;
    }

    private void checkState(String stateAndInterest) {
        String interest = (client.interest() & 1) != 0 ? " r" : " ";
        interest += (client.interest() & 4) != 0 ? "w" : "";
        String state = client.connection.state + interest.stripTrailing();
        if (client.isClosed()) state = client.channel.closesByReset ? "RESET" : "CLOSED";
        assertEquals(stateAndInterest, state);
        if (!client.isClosed()) assertEquals(state.startsWith("LINGERING"), client.channel.outputEnded);
    }

    private boolean count(String word, String rest) throws ReflectiveOperationException {
        String[] words = rest.split(" ");
        switch (word) {
            case "log" -> assertLogged(Integer.parseInt(words[1]), words[0]);
            case "events" -> assertEquals(rest,
                    String.join(" ", loop.log.story(client.connection.socket.id)));
            case "exchanges" -> checkExchanges(rest);
            case "writes" -> {
                assertEquals(Integer.parseInt(rest), client.channel.writes - writes);
                writes = client.channel.writes;
            }
            case "dropped" -> assertEquals(Integer.parseInt(rest), client.connection.countDropped());
            case "unanswered" -> assertEquals(Long.parseLong(rest),
                    loop.context.counters.get(Counters.UNANSWERED));
            case "kept" -> {
                long kept = Inside.used(loop.context.group.bytes) - budgetTaken;
                assertTrue(kept >= Long.parseLong(words[0]) && kept <= Long.parseLong(words[1]), "" + kept);
            }
            case "idle" -> assertEquals(duration(rest).toNanos(),
                    loop.context.clock.now() - client.connection.socket.lastActive);
            case "stats" -> assertEquals(words[1],
                    "" + Stats.class.getMethod(words[0]).invoke(GroupContext.sum(loop.context)));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void checkExchanges(String expected) {
        List<RecordingLogger.Event> all = exchanges();
        String form = Pattern.quote(expected).replace("*", "\\E\\d+\\Q");
        String found = all.subList(exchanges, all.size()).stream()
                .map(event -> Stream.of("target", "status", "bytes", "code").map(event::value)
                        .map(value -> value == null ? "-" : value).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(", "));
        assertTrue(found.matches(form), found);
        exchanges = all.size();
    }

    private void endAll() {
        for (ScriptedLoop.Client each : clients) {
            each.connection.free();
            each.connection.free();
            each.expectClosed();
            assertEquals(0, each.connection.countDropped());
        }
        loop.later.forEach(callback -> callback.accept(TestServer.ok("at the end")));
        loop.runTasks();
        takeBudget(false);
        assertEquals(0, Inside.used(loop.context.group.bytes), "bytes that are still charged");
        assertEquals(0, Inside.used(loop.context.group.requests), "places that are still taken");
        assertEquals(0, loop.context.counters.get(Counters.UNANSWERED));
        assertLogged(clients.size(), "close");
        assertEquals(clients.size(), GroupContext.sum(loop.context).closed());
        assertEquals(List.of(), late, "exchanges that were logged after the end of their connection");
    }
}
