package org.microhttp.simulation;

/** The subscriber to what a client sends in another protocol. */
final class UpgradeSubscriber extends InputSubscriber {

    private final StreamedBody publisher;
    private final int begin;

    /** How much the server had read when it was signalled last. */
    private long readThen;

    UpgradeSubscriber(HandledRequest asked, StreamedBody publisher) {
        super(asked.life, asked.request, 77, true);
        this.publisher = publisher;
        begin = life.plan.ends()[asked.index];
    }

    @Override
    long there() {
        return life.read - begin;
    }

    @Override
    int place(long offset) {
        return (int) (begin + offset);
    }

    @Override
    boolean mayFail(Throwable cause) {
        return life.closed || life.outputEnded || publisher.isCompleted() || publisher.isOver()
                || life.promises.failed || world.isEnding() || life.promises.deadlines.isSilent();
    }

    @Override
    boolean isWhole() {
        return life.promises.endSeen;
    }

    @Override
    void onSignal() {
        check(life.plan.upgrade() == Upgrade.ASKED, "is called, and nobody has asked for the protocol");
        check(isSubscribed() || !publisher.isAsked(), "is subscribed after the publisher");
        readThen = life.read;
    }

    @Override
    void onDemand(boolean wants) { }

    @Override
    void onFailure() { }

    @Override
    void checkRest() {
        super.checkRest();
        boolean ahead = life.read - Math.max(readThen, begin) > FIRST_BYTES;
        check(isOver() || wants() || !ahead || got() == 0, "has requested nothing, and more is read");
    }
}
