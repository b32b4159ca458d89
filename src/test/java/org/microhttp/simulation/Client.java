package org.microhttp.simulation;

import org.microhttp.simulation.ClientPlan.ClientEnd;
import org.microhttp.simulation.ClientPlan.Reading;
import org.microhttp.simulation.ClientPlan.Sending;
import org.microhttp.simulation.network.Machine;

/** What a client does, by its plan: connects, sends, reads, ends. */
final class Client {

    private static final long SECOND = 1_000_000_000L;

    /** How long it waits for a 100 before it sends the body all the same (RFC 9110 §10.1.1). */
    private static final long PATIENCE = 3 * SECOND;

    /** When one that reads late begins to, at the latest. */
    private static final long LATE = 4 * SECOND;

    private final SimulatedConnection life;
    private final ClientPlan plan;
    private final Machine machine;
    private final long latency;
    private int sent;
    private boolean sending, taking, ended, gone;

    /** Whether one that reads late has begun to. */
    private boolean awake;

    /** How far it may send though it waits for a 100. */
    private int impatient = -1;

    Client(SimulatedConnection life) {
        this.life = life;
        plan = life.plan;
        machine = life.world.machine;
        latency = life.world.conditions.network().latency();
    }

    /** Whether it has closed its socket, so that nobody reads any more. */
    boolean isGone() {
        return gone;
    }

    /** Begins; does all else by itself, and when it is told of something. */
    void connect() {
        if (!machine.connect(life.world.port(), life)) {
            life.tell("cannot connect");
            life.closed = true;
            life.freed = true;
            life.clientReset = true;
            gone = true;
            return;
        }
        life.tell("connects");
        boolean atOnce = plan.ending() == ClientEnd.RESET && life.random.nextInt(4) == 0;
        if (plan.ending() == ClientEnd.RESET) {
            machine.later(atOnce ? 0 : life.random.nextLong(1 + plan.pace() * 3 + 2 * latency), this::reset);
        }
        if (plan.reading() == Reading.LATE) machine.later(life.random.nextLong(LATE), this::take);
        send();
    }

    private void reset() {
        if (gone || life.closed) return;
        gone = true;
        ended = true;
        life.resetInput();
    }

    /** The server has read something. */
    void onSpace() {
        send();
    }

    private void send() {
        if (sending || gone || ended) return;
        if (sent == plan.text().length) {
            onSent();
            return;
        }
        int room = life.world.conditions.network().receiveBuffer() - (int) (sent - life.read);
        int count = Math.min(next(), room);
        if (count <= 0) return;
        sending = true;
        machine.later(pause(), () -> {
            sending = false;
            if (gone || ended) return;
            sent += count;
            machine.later(latency, () -> life.arrive(count));
            send();
        });
    }

    private long pause() {
        boolean hurries = plan.sending() == Sending.PIPELINED && !isGreeting();
        if (hurries || plan.pace() == 0) return 0;
        return life.random.nextLong(plan.pace());
    }

    /** Whether some is left of what goes before the requests. */
    private boolean isGreeting() {
        return sent < plan.preface().bytes().length;
    }

    /** How much is to be sent next; 0 while it waits for something. */
    private int next() {
        int length = plan.text().length;
        int done = life.promises.answersRead() + (life.promises.isInvited() ? 1 : 0);
        int limit = switch (plan.sending()) {
            case PIPELINED, CUT, TRICKLE -> length;
            case ONE_BY_ONE -> done < plan.ends().length ? plan.ends()[done] : length;
            case AWAITING -> untilAnswered(done, length);
            case AHEAD -> untilHead(done, length);
        };
        int left = limit - sent;
        if (left <= 0) return 0;
        if (isGreeting()) return plan.preface().piece(sent, left, life.random);
        return switch (plan.sending()) {
            case TRICKLE -> Math.min(left, 1 + length / 200);
            case CUT -> 1 + life.random.nextInt(left);
            default -> left;
        };
    }

    private int untilAnswered(int done, int length) {
        if (done >= plan.ends().length) return length;
        if (mayPass(done)) return plan.ends()[done];
        int head = plan.heads()[done];
        if (sent == head) losePatience(done);
        return head;
    }

    /** Up to the next head behind which it waits for a 100, whatever was answered. */
    private int untilHead(int done, int length) {
        for (int i = done; i < plan.heads().length; i++) {
            if (mayPass(i) || sent > plan.heads()[i]) continue;
            if (sent == plan.heads()[i]) losePatience(i);
            return plan.heads()[i];
        }
        return length;
    }

    private boolean mayPass(int index) {
        return plan.heads()[index] < 0 || life.promises.isInterimRead(index) || impatient >= index;
    }

    private void losePatience(int index) {
        machine.later(PATIENCE, () -> {
            impatient = Math.max(impatient, index);
            send();
        });
    }

    private void onSent() {
        if (plan.ending() == ClientEnd.HALF_CLOSE) end();
    }

    private void end() {
        if (ended) return;
        ended = true;
        machine.later(latency, life::endInput);
    }

    /** The server has written, or ended, or closed. */
    void onWritten() {
        if (taking || gone || plan.reading() == Reading.LATE && !awake) return;
        if (plan.reading() == Reading.NEVER && life.taken > 0) return;
        taking = true;
        long more = plan.reading() == Reading.SLOW ? life.random.nextLong(plan.pace() + 1) : 0;
        machine.later(latency + more, this::take);
    }

    private void take() {
        awake = true;
        taking = false;
        if (gone) return;
        if (life.clientReset) {
            leave();
            return;
        }
        boolean slow = plan.reading() == Reading.SLOW || plan.reading() == Reading.NEVER;
        long there = life.written - life.taken;
        long count = slow ? Math.min(there, 1 + life.random.nextInt(3000)) : there;
        life.taken += count;
        if (count > 0) {
            life.world.turns.touch(life);
            life.changed();
            send();
        }
        if (life.taken < life.written) {
            onWritten();
        } else if (life.outputEnded) {
            leave();
        } else if (isServed() && plan.ending() == ClientEnd.CLOSE) {
            machine.later(pause(), this::leave);
        }
    }

    private boolean isServed() {
        return sent == plan.text().length && life.promises.answersRead() >= plan.requests().size()
                && !plan.refused();
    }

    /** Closes its socket; what it did not read makes that a reset. */
    private void leave() {
        if (gone) return;
        gone = true;
        life.tell("client leaves");
        if (life.clientReset) return;
        if (life.taken < life.written) {
            machine.later(latency, life::resetInput);
        } else {
            end();
        }
    }

    /** The server has written to who is gone. */
    void onLost() {
        machine.later(latency, () -> {
            if (!life.reset) life.resetInput();
        });
    }
}
