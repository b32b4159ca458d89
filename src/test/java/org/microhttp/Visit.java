package org.microhttp;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** One request of a {@link Visitor}, what its client must get, and what it has. */
class Visit implements PlannedPublisher.Target {

    final PlannedWorld world;
    final Visitor visitor;
    final int index;
    final boolean toHead, http10, closing;

    /** Who signals the body; null for one in memory. */
    final PlannedPublisher publisher;

    /** How often it was handled and answered, and how many responses were released. */
    int handled, answered, released;

    Visit(PlannedWorld world, Visitor visitor) {
        this.world = world;
        this.visitor = visitor;
        Random random = world.random;
        index = visitor.visits.size();
        toHead = random.nextInt(10) == 0;
        http10 = random.nextInt(4) == 0;
        closing = random.nextInt(6) == 0;
        publisher = random.nextInt(4) == 0 ? null : new PlannedPublisher(world, this, true, random);
    }

    /** Of HTTP/1.1, whose connection goes on; or whose publisher is one of another protocol. */
    Visit(PlannedWorld world, Visitor visitor, boolean published) {
        this.world = world;
        this.visitor = visitor;
        index = visitor.visits.size();
        toHead = false;
        http10 = false;
        closing = false;
        publisher = published ? new PlannedPublisher(world, this, false, world.random) : null;
    }

    String request() {
        String persistence = "Connection: " + (closing ? "close" : "keep-alive") + "\r\n";
        return request(toHead ? "HEAD" : "GET", persistence);
    }

    final String request(String method, String fields) {
        String line = method + " /" + visitor.number + "/" + index;
        return line + (http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n") + "Host: x\r\n" + fields + "\r\n";
    }

    Response response() {
        if (publisher == null) return Response.text(200, "small");
        return new Response(200, List.of(), publisher.body());
    }

    /** Responds, now or when its world says so. */
    final void handle(Consumer<Response> callback) {
        handled++;
        Response own = response();
        Response response = own.withBody(own.body().onReleased(() -> released++));
        Runnable answer = () -> {
            answered++;
            callback.accept(response);
        };
        if (world.random.nextInt(4) > 0) {
            answer.run();
        } else {
            world.later.add(answer);
        }
    }

    /** Whether this is how its response begins, unless it has failed. */
    boolean isBegunBy(String head) {
        return head.startsWith("HTTP/1.1 200 ");
    }

    /** Whether its response may be a failure's. */
    boolean mayFail() {
        return publisher.failed;
    }

    /** Whether another than its publisher may have cut it. */
    boolean mayBeCut() {
        return false;
    }

    /** How long the server has waited for both sides. */
    long silence() {
        return publisher.silence();
    }

    /** Whether only the end of the connection ends its response. */
    boolean isUnframed() {
        return http10 && publisher != null && !publisher.known && !toHead;
    }

    @Override
    public boolean isFirst() {
        visitor.look();
        StreamReader reader = visitor.reader;
        if (reader.isCounted() && reader.at.index + 1 == index) reader.next();
        return reader.at == this;
    }

    @Override
    public boolean hasAll(CharSequence content) {
        if (!isFirst() || !visitor.reader.isBetween()) return false;
        return visitor.reader.content.toString().contentEquals(content);
    }

    @Override
    public final boolean isBlamed() {
        String target = "/" + visitor.number + "/" + index;
        return visitor.reader.logged("body_error").stream()
                .anyMatch(event -> target.equals(event.value("target")));
    }

    @Override
    public final boolean isSilent() {
        return world.now() - lastSign() >= visitor.shortest();
    }

    /** When the server was last shown that somebody is there whom it waits for. */
    long lastSign() {
        return publisher.last();
    }

    @Override
    public final String toString() {
        return "c" + visitor.number + "/" + index;
    }

    /** Everything has ended. */
    void checkEnd() {
        if (publisher != null) publisher.checkEnd();
        world.check(released == answered, "is released " + released + " times for " + answered);
    }
}
