package org.microhttp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A loop without sockets whose clients send bodies that are received as they come: what they send, what
 * subscribers request, when and from which thread, and what time it is, follow from a seed. Each step is held
 * to what is promised to clients, subscribers and the handler.
 */
final class UploadWorld extends PlannedWorld implements Handler {

    private final List<UploadClient> clients = new ArrayList<>();

    UploadWorld(long seed) {
        super(seed);
    }

    @Override
    void begin() throws IOException {
        options = options.withSocketTimeout(seconds()).withRequestTimeout(seconds())
                .withHandlerTimeout(seconds()).withMaxRequestSize(600 + random.nextInt(2000))
                .withMaxHeaderSize(500).withReadBufferSize(1 << 4 + random.nextInt(9));
        if (random.nextInt(3) == 0) options = options.withMaxStreamedSize(300 + random.nextInt(3000));
        options = options.withMinReceiveRate(random.nextInt(3) == 0 ? 1 + random.nextInt(50) : 300);
        if (random.nextInt(3) == 0) options = options.withMaxPendingRequests(1 + random.nextInt(2));
        boolean proxied = random.nextInt(6) == 0;
        if (proxied) options = options.withProxyProtocol(true);
        loop = new ScriptedLoop(options, this);
        for (int i = random.nextInt(3); i >= 0; i--) {
            clients.add(new UploadClient(this, clients.size(), proxied));
        }
    }

    /** Whether there may be more requests than places. */
    boolean limitsPlaces() {
        return options.maxPendingRequests() < new Options().maxPendingRequests();
    }

    private Upload of(Request request) {
        String[] path = request.target().substring(1).split("/");
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
        long most = Math.max(options.maxRequestSize(), options.maxStreamedSize());
        check(!upload.declaresMoreThan(most), "is asked for, and is known to be too large: " + upload);
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

    @Override
    void step() {
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

    private void send(UploadClient client, int count) {
        tell("c" + client.number + " sends " + count);
        client.send(count);
    }

    private void take(UploadClient client, int count) {
        tell("c" + client.number + " takes " + count);
        client.take(count);
    }

    @Override
    void readOn() {
        clients.forEach(UploadClient::readOn);
    }

    @Override
    Stream<Runnable> ready() {
        return clients.stream().flatMap(client -> client.uploads.stream()).map(upload -> upload.receiver)
                .filter(receiver -> receiver != null && receiver.mayGoOn()).map(receiver -> receiver::goOn);
    }

    @Override
    void look() {
        if (!loop.context.tasks.isEmpty()) return;
        clients.forEach(UploadClient::check);
        checkReleased();
    }

    private void checkReleased() {
        long most = clients.stream().flatMap(client -> client.uploads.stream())
                .filter(Upload::mayHavePlace).count();
        long used = Inside.used(loop.context.group.requests);
        check(used <= most, used + " places are taken by " + most);
    }

    @Override
    void hurry() {
        for (UploadClient client : clients) {
            client.take(Integer.MAX_VALUE);
            client.send(1 + random.nextInt(500));
        }
    }

    @Override
    boolean isOver() {
        return clients.stream().allMatch(UploadClient::isOver);
    }

    @Override
    void endLoop() {
        clients.forEach(UploadClient::end);
    }

    @Override
    void lookBack() {
        clients.forEach(UploadClient::checkEnd);
    }
}
