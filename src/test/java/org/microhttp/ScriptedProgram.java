package org.microhttp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.*;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.protocol.RefusalException;
import org.microhttp.testing.ObjectGraph;
import org.microhttp.testing.RecordingLogger;
import org.microhttp.testing.TestServer;

/**
 * What a {@link Script} is played on: a loop and its clients in memory, a publisher and subscribers that do
 * what the steps say, and a record of all that happens.
 * <p>
 * Some rules of Reactive Streams hold in each script: calls and signals of the server come on the loop's
 * thread (2.7), not inside each other (1.3, 3.1), and never inside a call of the program (2.2, 3.4, 3.5);
 * each subscription ends at most once (1.7, 2.8), and keeps nothing then (3.13).
 */
final class ScriptedProgram implements Handler, AutoCloseable {

    private static final Pattern TIME = Pattern.compile("(\\d+) (ms|s|min)");
    private static final Pattern REPEATED = Pattern.compile("(\\d+) x (.*)");
    private static final Pattern HEAD =
            Pattern.compile("HTTP/1\\.1 (\\d{3}) [^\r]*\r\n((?:[^\r]+\r\n)*)\r\n");
    private static final Pattern FIELD = Pattern.compile("([^:]+): ([^\r]*)\r\n");
    private static final Pattern ROW = Pattern.compile("([^{}]{1,20}?)\\1{9,}");
    private static final Pattern SAME =
            Pattern.compile("(\\{\\d{3}[^}]*\\}[^{,]{0,20}|done [^,]*, )\\1{9,}");
    private static final Pattern REFUSED = Pattern.compile("(\\{[45][^}]*)\\}(\\w+): [^\n]*\n?");

    /** What is not recorded of the log, because it is the same for each request. */
    private static final Set<String> USUAL = Set.of("accept", "read_bytes", "read_request", "write",
            "write_response", "pipeline_request", "response_ready", "linger", "close", "close_after_response",
            "read_close", "read_error");

    private static final long START = TimeUnit.SECONDS.toNanos(1000);

    private final ScriptedLoop loop;
    private final Thread thread = Thread.currentThread();
    private final List<Viewer> clients = new ArrayList<>();
    private Viewer client;
    private final List<String> record = new ArrayList<>();
    private final Map<String, String> hooks = new HashMap<>();
    private final List<Receiver> receivers = new ArrayList<>();
    private Receiver receiver;
    private final ScriptedPublisher publisher = new ScriptedPublisher();
    private final FileChannel file = Bodies.file("x".repeat(100));
    private long length = -1;
    private int status = 200;
    private boolean headAtOnce, ended;
    private Consumer<Response> answered;
    private final List<String> targets = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private int logged, inside, given, released;

    ScriptedProgram(String settings) throws IOException {
        var options = new Options().withResolution(Duration.ofMillis(10));
        for (String setting : settings.isEmpty() ? new String[0] : settings.split("; ")) {
            options = with(options, setting);
        }
        // only the time that a step makes pass counts
        loop = new ScriptedLoop(Inside.withClock(options, () -> START, () -> START / 1_000_000), this);
        loop.log.hook = name -> {
            if (name.equals("exchange")) checkExchange();
        };
        publisher.onRequest = count -> {
            assertTrue(count > 0, "requests " + count);
            call("request", "requests " + count);
        };
        publisher.onCancel = () -> call("cancel", "cancels");
        hooks.put("begin", "request " + Long.MAX_VALUE);
        act("client 1");
    }

    private static Options with(Options options, String setting) {
        int space = setting.indexOf(' ');
        String name = "with" + setting.substring(0, 1).toUpperCase(Locale.ROOT) + setting.substring(1, space);
        String value = setting.substring(space + 1);
        Method method = Stream.of(Options.class.getMethods()).filter(one -> one.getName().equals(name))
                .findFirst().orElseThrow();
        Class<?> type = method.getParameterTypes()[0];
        try {
            return (Options) method.invoke(options, type == int.class ? (Object) Integer.parseInt(value)
                    : type == long.class ? (Object) Long.parseLong(value) : duration(value));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(setting, e);
        }
    }

    private static Duration duration(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) throw new IllegalArgumentException(text);
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    /** One client, and what was recorded of it. */
    private final class Viewer {

        final ScriptedLoop.Client client = loop.connect();
        private final String name = clients.isEmpty() ? "" : "client " + (clients.size() + 1) + " ";
        private String state = "read on";
        private int writes;

        Viewer() throws IOException { }

        private String state() {
            if (client.isClosed()) return client.channel.closesByReset ? "reset" : "closed";
            if (client.channel.outputEnded) return "ended";
            return (client.interest() & SelectionKey.OP_READ) == 0 ? "not read" : "read on";
        }

        /** Adds what has happened since. */
        void look() {
            lookAtReceived();
            String before = state;
            state = state();
            if (!state.equals(before)) record.add(name + state);
        }

        /** Adds what the client has received since. */
        void lookAtReceived() {
            String text = client.channel.takeReceived().replaceAll("Date: [^\r]*\r\n", "");
            if (!text.isEmpty()) record.add(name + "gets " + readable(text));
        }

        /** The state of the connection, and whether it waits for input, for room to write, or for both. */
        private String inside() {
            String waits = (client.interest() & SelectionKey.OP_READ) == 0 ? " " : " r";
            waits += (client.interest() & SelectionKey.OP_WRITE) == 0 ? "" : "w";
            return client.isClosed() ? "" + client.connection.state
                    : client.connection.state + waits.stripTrailing();
        }

        private int writes() {
            int before = writes;
            writes = client.channel.writes;
            return writes - before;
        }
    }

    /** Shortens heads to the status and what matters of the fields, and refusals to their codes. */
    private static String readable(String text) {
        String heads = HEAD.matcher(text).replaceAll(head -> Matcher.quoteReplacement("{" + head.group(1)
                + FIELD.matcher(head.group(2)).replaceAll(field -> switch (field.group(1)) {
                    case "Content-Type", "Retry-After" -> "";
                    case "Content-Length" -> " length " + field.group(2);
                    case "Transfer-Encoding", "Connection" -> " " + field.group(2);
                    default -> " " + Matcher.quoteReplacement(field.group());
                }).replace("\r\n", "") + "}"));
        String codes = REFUSED.matcher(heads.replaceAll("(\\{[45]\\d\\d) length \\d+", "$1"))
                .replaceAll("$1 $2}");
        return shortened(codes.replace("\r", "\\r").replace("\n", "\\n").replace("\0", "\\x00"));
    }

    private static String shortened(String text) {
        return ROW.matcher(counted(text)).replaceAll(row -> Matcher.quoteReplacement(
                "{" + row.group(1) + "*" + row.group().length() / row.group(1).length() + "}"));
    }

    /** Counts rows of the same answer, or of the same end of an exchange. */
    private static String counted(String text) {
        return SAME.matcher(text).replaceAll(row -> Matcher.quoteReplacement(
                row.group().length() / row.group(1).length() + " x " + row.group(1)));
    }

    /** Records a call or signal of the server, and does what the program does in it. */
    private void call(String hook, String happens) {
        record.add(happens);
        if (ended) return;
        assertSame(thread, Thread.currentThread(), happens);
        assertEquals(0, inside, happens + " inside another signal or call");
        inside++;
        try {
            for (String step : hooks.getOrDefault(hook, "").split(", ")) {
                act(step);
            }
        } finally {
            inside--;
        }
    }

    /** Records the signals to one subscriber. */
    private final class Receiver implements Flow.Subscriber<List<ByteBuffer>> {

        private final String name = receivers.isEmpty() ? "" : "subscriber " + (receivers.size() + 1) + " ";
        private Flow.Subscription subscription;
        private boolean over;

        private void signal(String hook, String happens) {
            assertFalse(over, happens);
            receiver = this;
            call(hook, name + happens);
        }

        @Override
        public void onSubscribe(Flow.Subscription own) {
            subscription = own;
            signal("begin", "begins");
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            var text = new StringBuilder();
            buffers.forEach(buffer -> text.append(ISO_8859_1.decode(buffer)));
            signal("next", "takes " + readable(text.toString()));
        }

        @Override
        public void onError(Throwable cause) {
            String why = cause instanceof RefusalException refused ? refused.refusal.code
                    : cause.getClass().getSimpleName();
            signal("error", "fails: " + why);
            over = true;
        }

        @Override
        public void onComplete() {
            signal("complete", "completes");
            over = true;
        }
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        request.onAbandoned(() -> record.add(request.isAbandoned() ? "abandoned" : "ABANDONED TOO EARLY"));
        call("choose", "chooses");
        if (request.path().equals("/kept")) return null;
        return newReceiver();
    }

    private Receiver newReceiver() {
        receivers.add(new Receiver());
        return receivers.get(receivers.size() - 1);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        boolean waits = request.path().startsWith("/wait");
        if (waits) loop.later.add(callback);
        if (request.method().equals("POST") || hooks.containsKey("handle")) {
            boolean received = request.receiver() != null;
            String body = received ? "" : readable(new String(request.body(), ISO_8859_1));
            call("handle", ("handles " + body).stripTrailing());
        }
        if (!waits) callback.accept(response(request.path()));
    }

    private Response response(String path) {
        given++;
        Response response = switch (path) {
            case "/stream" -> new Response(status, List.of(), body());
            case "/upgrade" -> Response.upgrade("echo", List.of(), this::subscribe, newReceiver());
            case "/closing" -> TestServer.ok("closing").withHeader("Connection", "close");
            case "/file" -> Bodies.response(Body.of(file, 0, 100));
            default -> TestServer.ok(path.equals("/") ? "received" : path.matches("/x\\d+")
                    ? "x".repeat(Integer.parseInt(path.substring(2))) : path.substring(1));
        };
        return response.withBody(response.body().onReleased(() -> released++));
    }

    private void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        call("subscribe", "subscribes");
        publisher.subscribe(subscriber);
    }

    private Body body() {
        Body body = Body.of(this::subscribe, length);
        return headAtOnce ? body.withHeadAtOnce() : body;
    }

    /** Does what the step says and what the server does because of that; returns all that has happened. */
    String step(String step) {
        for (String part : step.split(" \\| ")) {
            act(part);
        }
        settle();
        clients.forEach(Viewer::look);
        List<RecordingLogger.Event> events = loop.log.events();
        events.subList(logged, events.size()).forEach(this::note);
        logged = events.size();
        String all = counted(String.join(", ", record) + ", ");
        all = all.substring(0, all.length() - 2);
        record.clear();
        // one list of buffers after the other
        return all.replaceAll("(?<=takes [^,]{1,50}), (subscriber \\d+ )?takes ", " + ");
    }

    private void note(RecordingLogger.Event event) {
        String code = event.value("code") == null ? "" : " " + event.value("code");
        boolean end = event.name().equals("exchange");
        // a refusal is in the summary of its exchange
        if (USUAL.contains(event.name()) || !end && !code.isEmpty()) return;
        String cause = event.cause() == null ? "" : ": " + reason(event.cause());
        if (end) targets.add(event.value("target") == null ? "-" : event.value("target"));
        String status = event.value("status") == null ? "" : " " + event.value("status");
        boolean refused = !code.isEmpty() && !code.equals(" incomplete");
        String bytes = refused ? "" : " " + event.value("bytes");
        record.add((end ? "done" + status + bytes : "logs " + event.name()) + code + cause);
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    /** Runs the loop until it would sleep. */
    private void settle() {
        if (ended) return;
        int turns = 0;
        do {
            assertTrue(turns++ < 10_000, "the loop never sleeps");
            loop.runTasks();
        } while (clients.stream().anyMatch(one -> one.client.turnToRead() || one.client.turnToWrite())
                || !loop.context.tasks.isEmpty());
    }

    private void act(String step) {
        Matcher repeated = REPEATED.matcher(step);
        if (repeated.matches()) {
            for (int i = Integer.parseInt(repeated.group(1)); i > 0; i--) {
                act(repeated.group(2));
            }
        } else if (TIME.matcher(step).matches()) {
            loop.passTime(duration(step));
        } else if (step.startsWith("elsewhere ")) {
            elsewhere(step.substring(10));
        } else {
            int space = step.indexOf(' ');
            String rest = space < 0 ? "" : step.substring(space + 1);
            actOfClient(space < 0 ? step : step.substring(0, space), rest);
        }
    }

    /** Fails if that does not return. */
    private void elsewhere(String step) {
        try {
            CompletableFuture.runAsync(() -> act(step)).get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(step, e);
        }
    }

    private void actOfClient(String word, String rest) {
        switch (word) {
            case "client" -> {
                int number = Integer.parseInt(rest);
                if (number > clients.size()) connect();
                client = clients.get(number - 1);
            }
            case ">" -> client.client.channel.send(rest);
            case "room" -> client.client.channel.room =
                    rest.equals("all") ? Integer.MAX_VALUE : Integer.parseInt(rest);
            case ">." -> rest.chars().forEach(c -> client.client.channel.send("" + (char) c));
            case "turn" -> client.client.turn();
            case "look" -> client.lookAtReceived();
            case "accepts" -> client.client.channel.take(
                    Stream.of(rest.split(" ")).mapToInt(Integer::parseInt).toArray());
            case "takes" -> {
                client.client.channel.room = Integer.parseInt(rest);
                if (client.client.isWriting()) client.client.turn();
                client.client.channel.room = 0;
            }
            case "end" -> client.client.channel.end();
            case "reset" -> client.client.channel.reset();
            default -> actOfPublisher(word, rest);
        }
    }

    private void connect() {
        try {
            clients.add(new Viewer());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void actOfPublisher(String word, String rest) {
        switch (word) {
            case "length" -> length = Long.parseLong(rest);
            case "status" -> status = Integer.parseInt(rest);
            case "head-at-once" -> headAtOnce = true;
            case "no-subscription" -> publisher.answering = false;
            case "subscribe" -> program(() -> publisher.subscriber().onSubscribe(
                    rest.equals("null") ? null : rest.equals("again") ? new Second() : publisher));
            case "next" -> program(() -> publisher.subscriber().onNext(
                    rest.equals("null") ? null : ScriptedPublisher.buffer(rest)));
            case "complete" -> program(publisher::complete);
            case "fail" -> program(() -> publisher.fail(switch (rest) {
                case "null" -> null;
                case "cancelled" -> new CancellationException(rest);
                default -> new IllegalStateException(rest);
            }));
            default -> actOfSubscriber(word, rest);
        }
    }

    private void actOfSubscriber(String word, String rest) {
        switch (word) {
            case "on" -> hooks.put(rest.split(" ")[0], rest.split(" ", 2)[1]);
            case "subscriber" -> receiver = receivers.get(Integer.parseInt(rest) - 1);
            case "request" -> {
                var subscription = receiver.subscription;
                program(() -> subscription.request(Long.parseLong(rest)));
            }
            case "cancel" -> program(receiver.subscription::cancel);
            case "throw" -> throw new IllegalStateException("wanted");
            case "interrupt" -> Thread.currentThread().interrupt();
            default -> actOfProgram(word, rest);
        }
    }

    private void actOfProgram(String word, String rest) {
        switch (word) {
            case "answer" -> (answered = loop.later.remove(0)).accept(response("/" + rest));
            case "again" -> answered.accept(response("/" + rest));
            case "take" -> assertTrue(loop.context.limits.parser.bytes().tryTake(Long.parseLong(rest)));
            case "release" -> loop.context.limits.parser.bytes().release(Long.parseLong(rest));
            case "cut" -> close(file);
            case "leave" -> loop.leave();
            case "stop" -> loop.context.end.stopped = true;
            case "free" -> client.client.connection.free();
            case "busy" -> loop.blockFor(duration(rest));
            case "tasks" -> loop.context.tasks.run(Integer.parseInt(rest));
            case "loop-ends" -> {
                ended = true;
                loop.context.tasks.close();
            }
            case "", "nothing" -> { }
            default -> record.add(show(word, rest));
        }
    }

    private String show(String word, String rest) {
        return switch (word) {
            case "state" -> client.inside();
            case "writes" -> "" + client.writes();
            case "idle" -> Duration.ofNanos(
                    loop.context.clock.now() - client.client.connection.socket.lastActive).toMillis() + " ms";
            case "charged" -> "" + Inside.used(loop.context.group.bytes);
            case "drops" -> "" + client.client.connection.countDropped();
            case "unanswered" -> "" + loop.context.counters.get(Counters.UNANSWERED);
            case "stats" -> stats(rest);
            case "events" -> String.join(" ", loop.log.story(client.client.connection.socket.id));
            case "log" -> "" + loop.log.count(rest);
            case "targets" -> {
                var all = List.copyOf(targets);
                targets.clear();
                yield String.join(" ", all);
            }
            default -> throw new IllegalArgumentException("no step: " + word);
        };
    }

    private String stats(String name) {
        try {
            return "" + Stats.class.getMethod(name).invoke(GroupContext.sum(loop.context));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    /** A call of the program: the server does what follows from it later, on its own thread. */
    private void program(Runnable call) {
        int before = record.size();
        String thrown = null;
        try {
            call.run();
        } catch (NullPointerException e) {
            thrown = "NullPointerException";
        }
        if (!ended) assertEquals(before, record.size(), "something happens inside a call of the program");
        if (thrown != null) record.add(thrown);
    }

    /** A second subscription, which may only be cancelled. */
    private final class Second implements Flow.Subscription {

        @Override
        public void request(long count) { record.add("SECOND SUBSCRIPTION IS USED"); }

        @Override
        public void cancel() { record.add("cancels the second"); }
    }

    /** Every exchange is logged before its connection ends. */
    private void checkExchange() {
        List<RecordingLogger.Event> events = loop.log.events();
        var event = events.get(events.size() - 1);
        var its = clients.get(Integer.parseInt(event.value("id"))).client;
        if (its.isClosed() || its.channel.outputEnded) late.add("" + event);
    }

    /**
     * Ends all connections, and answers all requests: each response is released once, and no place or byte
     * stays taken.
     */
    void checkEnd() {
        for (Viewer one : clients) {
            one.client.connection.free();
            one.client.connection.free();
            one.client.expectClosed();
            assertEquals(0, one.client.connection.countDropped());
        }
        settle();
        loop.later.forEach(callback -> callback.accept(response("/late")));
        settle();
        for (Receiver one : receivers) {
            if (one.subscription == null) continue;
            assertNull(ObjectGraph.path(one.subscription, object -> !(object instanceof Logger),
                    object -> object == one || object instanceof Connection), "kept by a subscription");
        }
        assertEquals(given, released, "responses that are released");
        assertTrue(publisher.cancels <= publisher.subscribers.size(), "a subscription is cancelled again");
        assertEquals(0, Inside.used(loop.context.group.bytes), "bytes that stay charged");
        assertEquals(0, Inside.used(loop.context.group.requests), "places that stay taken");
        assertEquals(0, loop.context.counters.get(Counters.UNANSWERED), "requests that stay unanswered");
        assertEquals(clients.size(), loop.log.count("close"));
        assertEquals(clients.size(), GroupContext.sum(loop.context).closed());
        assertEquals(List.of(), late, "exchanges that were logged after the end of their connection");
    }

    @Override
    public void close() throws IOException {
        close(file);
        loop.close();
    }

    private static void close(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
