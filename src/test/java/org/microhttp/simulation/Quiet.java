package org.microhttp.simulation;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

/** What holds of a connection while its loop sleeps: nothing is left to do that could be done. */
final class Quiet {

    private final World world;

    Quiet(World world) {
        this.world = world;
    }

    /** Of one connection. */
    void check(Life life) {
        Promises promises = life.promises;
        if (life.stranger && life.accepted && !life.closed) life.broken("a stranger is not sent away");
        if (life.closed || life.selector == null) return;
        int interest = life.channel().key().interest();
        boolean writable = life.room() > 0;
        if (life.outputEnded) {
            if ((interest & OP_READ) == 0) life.broken("lingers, and does not read");
            return;
        }
        if (promises.pause.isWaiting()) {
            checkPause(life, interest);
            return;
        }
        boolean owed = promises.isOwed();
        if (writable) checkSent(life, owed);
        boolean waits = (interest & OP_WRITE) != 0;
        if (!writable && promises.blocked && !waits) life.broken("does not wait to write");
        checkInput(life, interest, writable, owed);
    }

    /** The socket takes more, so nothing is kept back, and what is whole was handed over. */
    private void checkSent(Life life, boolean owed) {
        Promises promises = life.promises;
        if (!promises.isAllSent()) life.broken("keeps an answer back");
        if (promises.last && !owed) life.broken("stays open behind the last answer");
        if (promises.isEndSeen() && !owed) life.broken("stays open behind the client's end");
        if (owed || promises.refused) return;
        if (life.plan.whole(life.read) > promises.handed) life.broken("a whole request is not handed over");
        boolean flawed = life.read >= life.plan.preface().flawAt();
        if (flawed) life.broken("goes on though it is told wrongly for whom");
        boolean allRead = life.read == life.plan.text().length;
        if (allRead && life.plan.refused()) life.broken("what must be refused is not");
        int index = promises.handed;
        boolean waits = index < life.plan.heads().length && life.plan.heads()[index] == life.read;
        if (waits && !promises.isInterimWritten(index)) life.broken("a 100 is not sent");
    }

    private void checkInput(Life life, int interest, boolean writable, boolean owed) {
        boolean reads = (interest & OP_READ) != 0;
        if (reads) return;
        Promises promises = life.promises;
        // its time was over, and what was answered then waits behind what is blocked
        boolean unseen = owed && promises.blocked && world.machine.now() >= promises.current().dueLow();
        if (!owed || unseen) {
            if (writable) life.broken("is watched for nothing");
            return;
        }
        if (readsEarly(life)) life.broken("does not read while the handler works");
    }

    /** The head is sent, and its body is to follow later: nothing wakes the loop but what the client does. */
    private void checkPause(Life life, int interest) {
        if ((interest & OP_WRITE) != 0) life.broken("waits to write, and its body is to follow later");
        boolean over = life.promises.isBehindLast() || life.plan.isLast(life.promises.handed - 1);
        // what comes behind the last request is dropped, so there is always room for it
        boolean must = over ? !life.promises.isEndSeen() : readsEarly(life);
        if (must && life.reset) life.broken("does not notice a reset while a body waits");
        if (must && (interest & OP_READ) == 0) life.broken("does not read while a body waits");
    }

    /** Whether there is much room for what comes before the answer is sent: it is read in large steps. */
    private boolean readsEarly(Life life) {
        Promises promises = life.promises;
        long early = life.read - life.plan.start(promises.handed);
        Conditions conditions = world.conditions;
        long most = Math.min(conditions.settings().readBuffer(), conditions.limits().requestSize());
        return 2 * early <= most && !promises.isEndSeen() && !conditions.limitsBytes();
    }
}
