package org.microhttp.simulation;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

/** What holds of a connection while its loop sleeps: nothing is left to do that could be done. */
final class SleepCheck {

    private final World world;

    SleepCheck(World world) {
        this.world = world;
    }

    /** Of one connection. */
    void check(SimulatedConnection life) {
        Promises promises = life.promises;
        life.brokenIf(life.stranger && life.accepted && !life.closed, "a stranger is not sent away");
        HandledRequest current = promises.current();
        if (current != null) current.checkNotices();
        if (life.closed || life.selector == null) return;
        promises.onTasksRun();
        int interest = life.channel().key().interest();
        boolean writable = life.room() > 0;
        if (life.outputEnded) {
            life.brokenIf((interest & OP_READ) == 0, "lingers, and does not read");
            return;
        }
        if (promises.isAllSent() && !promises.isVague()) promises.ownFields.checkSent();
        boolean owed = promises.isWaiting();
        if (writable) checkSent(life, owed);
        boolean waits = (interest & OP_WRITE) != 0;
        life.brokenIf(!writable && promises.blocked && !waits, "does not wait to write");
        checkInput(life, interest, writable, owed);
    }

    /** The socket takes more, so nothing is kept back, and what is whole was handed over. */
    private void checkSent(SimulatedConnection life, boolean owed) {
        Promises promises = life.promises;
        life.brokenIf(!promises.isAllSent(), "keeps an answer back");
        if (promises.isStreaming()) promises.stream().checkRest();
        if (promises.receiving != null) {
            checkReceiving(life, promises.receiving);
            return;
        }
        life.brokenIf(promises.last && !owed, "stays open behind the last answer");
        life.brokenIf(promises.endSeen && !owed, "stays open behind the client's end");
        if (owed || promises.refused) return;
        life.brokenIf(life.plan.whole(life.read) > promises.handed, "a whole request is not handed over");
        life.brokenIf(life.read >= life.plan.preface().flawAt(),
                "goes on though it is told wrongly for whom");
        boolean allRead = life.read == life.plan.text().length;
        life.brokenIf(allRead && life.plan.refused(), "what must be refused is not");
        int index = promises.handed;
        boolean waits = index < life.plan.heads().length && life.plan.heads()[index] == life.read;
        life.brokenIf(waits && !promises.isInterimWritten(index), "a 100 is not sent");
    }

    private void checkReceiving(SimulatedConnection life, BodySubscriber receiver) {
        receiver.checkRest();
        boolean waits = life.plan.headEnd(receiver.index) == life.read && receiver.wants()
                && receiver.index < life.plan.heads().length && life.plan.heads()[receiver.index] >= 0;
        boolean sent = life.promises.isInterimWritten(receiver.index);
        life.brokenIf(waits && !sent, "a requested 100 is not sent");
    }

    private void checkInput(SimulatedConnection life, int interest, boolean writable, boolean owed) {
        boolean reads = (interest & OP_READ) != 0;
        if (reads) return;
        Promises promises = life.promises;
        if (promises.receiving != null) {
            boolean wanted = promises.receiving.wants() && !promises.endSeen;
            life.brokenIf(wanted, "does not read a body that is requested");
            return;
        }
        if (promises.isUpgraded()) {
            boolean wanted = promises.stream().incoming.takesInput() && !promises.endSeen
                    && !promises.stream().isOver();
            life.brokenIf(wanted, "does not read in another protocol");
            return;
        }
        // its time was over, and what was answered then waits behind what is blocked
        boolean late = promises.isOwed() && world.machine.now() >= promises.current().dueLow();
        boolean replaced = promises.isStreaming() && promises.stream().isDoubtful();
        boolean unseen = promises.blocked && (late || replaced || promises.isVague());
        if (!owed || unseen) {
            life.brokenIf(writable, "is watched for nothing");
            return;
        }
        life.brokenIf(readsEarly(life), "does not read while the handler works");
    }

    /** Whether there is much room for what comes before the answer is sent: it is read in large steps. */
    private boolean readsEarly(SimulatedConnection life) {
        Promises promises = life.promises;
        long early = life.read - life.plan.start(promises.handed);
        Conditions conditions = world.conditions;
        long most = Math.min(conditions.settings().readBuffer(), conditions.limits().requestSize());
        return 2 * early <= most && !promises.endSeen && !conditions.limitsBytes();
    }
}
