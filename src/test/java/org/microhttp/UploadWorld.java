package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.function.Consumer;

/**
 * A loop without sockets whose clients send bodies that are received as they come: what they send, what
 * subscribers request, when and from which thread, and what time it is, follow from a seed. Each step is held
 * to what is promised to clients, subscribers and the handler.
 */
final class UploadWorld implements AutoCloseable, Handler {

    static final long SECOND = 1_000_000_000L;

    /** How late a loop may be: a tick, and the time of a step. */
    static final long SLACK = SECOND / 4;
    private static final int STEPS = 120;

    final Random random;
    final Options options = new Options().withResolution(Duration.ofMillis(100));
    final ScriptedLoop loop;
    private final List<UploadClient> clients = new ArrayList<>();

    /** What programs do at any time. */
    final List<Runnable> later = new ArrayList<>();
    private long passed;
    private final StringBuilder story = new StringBuilder();
    private AssertionError broken;

    UploadWorld(long seed) throws IOException {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        Inside.withClock(options, () -> 0, () -> 0);
        options.withSocketTimeout(seconds()).withRequestTimeout(seconds()).withHandlerTimeout(seconds())
                .withMaxRequestSize(600 + random.nextInt(2000)).withMaxHeaderSize(500)
                .withReadBufferSize(1 << 4 + random.nextInt(9));
        if (random.nextInt(3) == 0) options.withMaxStreamedSize(300 + random.nextInt(3000));
        if (random.nextInt(3) == 0) options.withMinReceiveRate(1 + random.nextInt(50));
        if (random.nextInt(3) == 0) options.withMaxPendingRequests(1 + random.nextInt(2));
        boolean proxied = random.nextInt(6) == 0;
        if (proxied) options.withProxyProtocol(true);
        loop = new ScriptedLoop(options, this);
        for (int i = random.nextInt(3); i >= 0; i--) {
            clients.add(new UploadClient(this, clients.size(), proxied));
        }
    }

    private Duration seconds() {
        return Duration.ofSeconds(1 + random.nextInt(20));
    }

    long now() {
        return passed;
    }

    boolean limitsPlaces() {
        return options.maxPendingRequests() < Options.NO_LIMIT;
    }

    void check(boolean kept, String promise) {
        if (kept) return;
        // a subscriber's exception would be taken for its mistake
        if (broken == null) broken = new AssertionError(promise + "; after: " + story);
        throw broken;
    }

    void onLoop() {
        check(loop.context.tasks.isLoopThread(), "a program is called by another thread");
    }

    /** A program sometimes leaves the interrupt flag set, which is nobody's business. */
    void interrupt() {
        if (random.nextInt(30) == 0) Thread.currentThread().interrupt();
    }

    private Upload of(Request request) {
        String[] path = request.uri().substring(1).split("/");
        return clients.get(Integer.parseInt(path[0])).uploads.get(Integer.parseInt(path[1]));
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        onLoop();
        Upload upload = of(request);
        upload.asked++;
        check(upload.asked == 1, "is asked for again: " + upload);
        check(upload.hasBody(), "is asked for, and has no body: " + upload);
        check(request.body().length == 0, "has a body before it is received: " + upload);
        interrupt();
        if (upload.receiver == null) return null;
        checkPlaces(1);
        return upload.receiver;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        onLoop();
        Upload upload = of(request);
        upload.onHandled();
        PlannedReceiver receiver = upload.receiver;
        check(request.receiver() == receiver, "has another receiver: " + upload);
        if (receiver == null) {
            check(new String(request.body()).equals(upload.body), "has another body: " + upload);
            check(upload.isWhole(), "is handled before it has come: " + upload);
        } else {
            check(receiver.completed || receiver.cancelled, "is handled before its end: " + upload);
            check(!receiver.failed, "is handled after a failure: " + upload);
            check(request.body().length == 0, "has a body that was received: " + upload);
        }
        checkPlaces(0);
        boolean refused = receiver != null && !receiver.completed;
        Runnable answer = () -> {
            upload.answered = true;
            callback.accept(Response.text(refused ? 403 : 200, "" + upload));
        };
        if (random.nextInt(4) > 0) {
            answer.run();
        } else {
            later.add(answer);
        }
    }

    /** With some more, no more hold a place than may. */
    private void checkPlaces(int more) {
        if (!limitsPlaces()) return;
        long taken = clients.stream().filter(client -> !client.client.isClosed())
                .flatMap(client -> client.uploads.stream()).filter(Upload::surelyHasPlace).count();
        check(taken + more <= options.maxPendingRequests(), "has " + (taken + more) + " places");
    }

    void live() throws IOException {
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            step();
            checkAll();
        }
        end();
    }

    private void step() {
        UploadClient client = clients.get(random.nextInt(clients.size()));
        switch (random.nextInt(15)) {
            case 0, 1, 2 -> send(client, 1 + random.nextInt(random.nextBoolean() ? 10 : 3000));
            case 3, 4 -> send(client, client.toBoundary());
            case 5, 6, 7 -> act();
            case 8 -> take(client, random.nextInt(random.nextBoolean() ? 20 : 1000));
            case 9 -> take(client, Integer.MAX_VALUE);
            case 10 -> pass(random.nextInt(10) == 0 ? 5 * SECOND : SECOND / 10);
            case 11 -> {
                if (random.nextInt(8) > 0) return;
                client.leave();
                tell("c" + client.number + (client.reset ? " resets" : " ends its side"));
            }
            case 12 -> {
                if (random.nextInt(8) == 0) dribble(client);
            }
            default -> tasks(1 + random.nextInt(6));
        }
    }

    /** A client sends by the byte, for many seconds, and programs do what they will meanwhile. */
    private void dribble(UploadClient client) {
        for (int i = random.nextInt(60); i > 0; i--) {
            send(client, 1);
            act();
            pass(SECOND / 2);
            checkAll();
        }
    }

    private void tell(String what) {
        if (story.length() < 3000) story.append(what).append(", ");
    }

    private void send(UploadClient client, int count) {
        tell("c" + client.number + " sends " + count);
        client.send(count);
    }

    private void take(UploadClient client, int count) {
        tell("c" + client.number + " takes " + count);
        client.take(count);
    }

    private void tasks(int most) {
        tell("tasks " + most);
        loop.context.endTurn();
        clients.forEach(UploadClient::readOn);
        loop.context.tasks.run(most);
        clients.forEach(UploadClient::readOn);
    }

    /** A loop runs its tasks before it looks at deadlines. */
    private void pass(long nanos) {
        tasks(10_000);
        tell("passes " + nanos / 1_000_000);
        passed += nanos;
        loop.passTime(Duration.ofNanos(nanos));
        tasks(10_000);
    }

    /** Some program does something, on the loop's thread or, as the loop sees it, on another. */
    private void act() {
        var ready = new ArrayList<Runnable>(later);
        for (UploadClient client : clients) {
            for (Upload upload : client.uploads) {
                PlannedReceiver receiver = upload.receiver;
                if (receiver != null && receiver.mayGoOn()) ready.add(receiver::goOn);
            }
        }
        if (ready.isEmpty()) return;
        Runnable one = ready.get(random.nextInt(ready.size()));
        later.remove(one);
        tell("acts");
        boolean elsewhere = random.nextBoolean();
        if (elsewhere) loop.context.tasks.thread = null;
        one.run();
        loop.context.tasks.thread = Thread.currentThread();
    }

    private void checkAll() {
        checkInterrupts();
        if (broken != null) throw broken;
        if (loop.context.tasks.isEmpty()) {
            clients.forEach(UploadClient::check);
            checkReleased();
        }
        if (broken != null) throw broken;
    }

    private void checkInterrupts() {
        boolean kept = !Thread.interrupted() && !loop.context.interrupted;
        check(kept, "an interrupt of a program stays, or ends the loop");
    }

    private void checkReleased() {
        long most = clients.stream().flatMap(client -> client.uploads.stream())
                .filter(Upload::mayHavePlace).count();
        long used = Inside.used(loop.context.group.requests);
        check(used <= most, used + " places are taken by " + most);
    }

    /** All clients send what they have, and all programs do what they will; or the server ends. */
    private void end() throws IOException {
        boolean stops = random.nextInt(4) == 0;
        for (int i = 0; i < 2000 && !stops && !isOver(); i++) {
            for (UploadClient client : clients) {
                client.take(Integer.MAX_VALUE);
                client.send(1 + random.nextInt(500));
            }
            act();
            tasks(100);
            if (i > 300) pass(SECOND);
            checkAll();
        }
        tell("end");
        check(stops || isOver(), "something is never answered");
        loop.context.stopped = stops;
        clients.forEach(UploadClient::end);
        tasks(Integer.MAX_VALUE);
        while (!later.isEmpty()) {
            act();
        }
        tasks(Integer.MAX_VALUE);
        pass(30 * SECOND);
        clients.forEach(UploadClient::checkEnd);
        checkInterrupts();
        long places = Inside.used(loop.context.group.requests);
        check(places == 0, places + " places are taken at the end");
        check(Inside.used(loop.context.limits.bytes()) == 0, "bytes are charged at the end");
        if (broken != null) throw broken;
    }

    private boolean isOver() {
        return later.isEmpty() && clients.stream().allMatch(UploadClient::isOver);
    }

    @Override
    public void close() throws IOException {
        loop.close();
    }
}
