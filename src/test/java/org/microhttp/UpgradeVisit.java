package org.microhttp;

import java.util.List;

/** The request of an {@link UpgradeVisitor} that is answered by a switch to another protocol. */
final class UpgradeVisit extends Visit implements PlannedReceiver.Source {

    /** Fields that ask for the protocol; and such that do not. */
    private static final String[] ASKING = {"Connection: upgrade\r\nUpgrade: echo\r\n",
            "Connection: keep-alive, Upgrade\r\nUpgrade: other, ECHO\r\n"};
    private static final String[] NOT_ASKING = {"Connection: keep-alive\r\n", "Connection: upgrade\r\n",
            "Upgrade: echo\r\n", "Connection: upgrade\r\nUpgrade: echo/2\r\n"};

    private final UpgradeVisitor client;

    /** Whether it asks for the protocol. */
    final boolean asks;
    private final String request;
    final PlannedReceiver receiver;

    /** How much the server had read of all when the subscriber was signalled last; and when that was. */
    long readThen;

    /** How much of what the subscriber has is compared with what was sent. */
    private int compared;

    UpgradeVisit(UpgradeWorld world, UpgradeVisitor client) {
        super(world, client, true);
        this.client = client;
        receiver = new PlannedReceiver(world, this, world.random);
        asks = world.random.nextInt(8) > 0;
        String[] fields = asks ? ASKING : NOT_ASKING;
        request = request("GET", fields[world.random.nextInt(fields.length)]);
    }

    @Override
    String request() {
        return request;
    }

    @Override
    Response response() {
        return Response.upgrade("echo", List.of(), publisher, receiver);
    }

    @Override
    boolean isBegunBy(String head) {
        boolean fields = head.contains("\r\nUpgrade: echo\r\n")
                && head.contains("\r\nConnection: upgrade\r\n")
                && !head.contains("\r\nContent-Length: ") && !head.contains("\r\nTransfer-Encoding: ");
        return asks && head.startsWith("HTTP/1.1 101 Switching Protocols\r\n") && fields;
    }

    @Override
    boolean mayFail() {
        return !asks || publisher.failed || hasFailed();
    }

    @Override
    boolean mayBeCut() {
        return world.isShort || hasFailed() || client.reader.isGivenUp() && !publisher.failed;
    }

    /** Whether the subscriber has failed, or broken a rule. */
    boolean hasFailed() {
        return receiver.threw || receiver.mistaken;
    }

    @Override
    long silence() {
        // its end is a sign of a client, too
        long heard = Math.max(client.lastRead, client.goneAt);
        return Math.min(publisher.silence(), world.now() - Math.max(heard, receiver.last()));
    }

    @Override
    long lastSign() {
        return Math.max(Math.max(client.lastRead, client.lastSent), publisher.last());
    }

    @Override
    boolean isUnframed() {
        return asks;
    }

    /** And the head. */
    @Override
    public boolean hasAll(CharSequence content) {
        return super.hasAll(content) && client.reader.hasBegun();
    }

    @Override
    public void onSignal(String signal) {
        world.check(asks && answered == 1, signal + " comes to a protocol that is not spoken");
        readThen = client.client.channel.read;
    }

    @Override
    public void onSubscribe() {
        world.check(publisher.subscriptions == 0, "its publisher is subscribed to before");
    }

    @Override
    public void onNext() {
        int count = receiver.content.length();
        boolean same = count <= client.spoken()
                && client.says(compared, receiver.content.substring(compared));
        compared = count;
        world.check(same, "gets something else than its client has sent: " + receiver.content);
    }

    @Override
    public void onError(Throwable cause) {
        boolean cut = client.reset || publisher.completed || client.mayEnd(this) || world.stops()
                || client.client.isClosed();
        world.check(cut, "has an error without a reason: " + cause);
    }

    @Override
    public void onComplete() {
        world.check(client.gone && !client.reset, "is complete, and its client has not ended");
        boolean all = receiver.content.length() == client.wordsSent();
        world.check(all, "is complete, and something is missing");
    }

    @Override
    void checkEnd() {
        super.checkEnd();
        receiver.checkEnd();
        boolean asked = asks || publisher.subscriptions == 0 && !receiver.isSubscribed();
        world.check(asked, "is switched to a protocol that was not asked for");
    }
}
