package org.microhttp;

import java.io.IOException;
import java.util.stream.Stream;
import org.microhttp.protocol.Budget;

/**
 * A loop without sockets whose clients switch to another protocol: what both sides send, take and request,
 * how they end or fail, when and on which thread, and what time it is, follow from a seed. Each step is held
 * to what is promised to clients, publishers and subscribers.
 */
final class UpgradeWorld extends StreamWorld {

    /** How much another client has of what may be kept. */
    private long taken;

    UpgradeWorld(long seed) {
        super(seed);
    }

    @Override
    void begin() throws IOException {
        options = options.withReadBufferSize(1 << 4 + random.nextInt(9)).withMinSendRate(0)
                .withMaxPendingRequests(100).withMaxRequestSize(1000 + random.nextInt(5000))
                .withMaxHeaderSize(500)
                .withMaxBufferedBytes(1 << 20);
        super.begin();
    }

    @Override
    Visitor visitor(int number) throws IOException {
        return new UpgradeVisitor(this, number);
    }

    @Override
    void step() {
        var visitor = (UpgradeVisitor) visitors.get(random.nextInt(visitors.size()));
        switch (random.nextInt(12)) {
            case 0, 1 -> visitor.send(1 + random.nextInt(random.nextBoolean() ? 10 : 3000));
            case 2 -> {
                if (random.nextInt(20) == 0) beShort();
            }
            case 3 -> {
                visitor.send(1);
                // a client that sends now and then is not silent, even if nobody requests that
                if (random.nextInt(4) == 0) pass(2 * loop.context.limits.streamTimeout / 3);
            }
            default -> super.step();
        }
    }

    /** Another client takes what may be kept, or releases it. */
    private void beShort() {
        Budget bytes = loop.context.limits.parser.bytes();
        long wanted = taken > 0 ? -taken : bytes.left();
        if (wanted < 0) {
            bytes.release(taken);
        } else if (!bytes.tryTake(wanted)) {
            return;
        }
        taken += wanted;
        isShort = true;
        tell("others keep " + taken);
    }

    @Override
    Stream<Runnable> ready() {
        Stream<Runnable> receivers = visitors.stream()
                .map(visitor -> ((UpgradeVisitor) visitor).upgrade.receiver)
                .filter(PlannedReceiver::mayGoOn).map(receiver -> receiver::goOn);
        return Stream.concat(super.ready(), receivers);
    }

    @Override
    void look() {
        super.look();
        long pending = visitors.stream().flatMap(visitor -> visitor.visits.stream())
                .filter(visit -> visit.handled > visit.answered).count();
        boolean all = !loop.context.tasks.isEmpty() || Inside.used(loop.context.group.requests) <= pending;
        check(all, "a place is held by another protocol");
    }

    @Override
    void endLoop() {
        super.endLoop();
        if (taken > 0) beShort();
    }
}
