package org.microhttp.simulation;

/**
 * An action of a handler for when nobody waits for its response any more: it runs once, on the loop's thread,
 * at the moment when the request says so; at once if that is known before; never if there is a response.
 */
final class AbandonAction implements Runnable {

    private final HandledRequest asked;
    private final SimulatedConnection life;
    private final int number;
    private int times;
    private boolean registering;

    private AbandonAction(HandledRequest asked, int number) {
        this.asked = asked;
        this.number = number;
        life = asked.life;
    }

    /** Registers one for a request, if that is to have so many. */
    static void register(HandledRequest asked) {
        int number = asked.notices.size();
        if (number >= asked.reply.notices()) return;
        var notice = new AbandonAction(asked, number);
        asked.notices.add(notice);
        notice.register();
    }

    private void register() {
        boolean known = asked.request.isAbandoned();
        registering = true;
        asked.request.onAbandoned(this);
        registering = false;
        life.brokenIf(times != (known ? 1 : 0), "a notice of a request that is " + (known ? "" : "not ")
                + "abandoned has run " + times + " times when it is registered");
    }

    @Override
    public void run() {
        times++;
        life.brokenIf(times > 1, "a notice runs twice");
        life.brokenIf(!asked.request.isAbandoned(), "a notice runs before its request is abandoned");
        life.world.tally.count("notice " + (registering ? "at once" : "by the loop"));
        if (registering) return;
        life.tell("notice " + number + " of " + asked.index);
        boolean strange = !life.isOnItsThread();
        life.brokenIf(strange, "a notice runs on another thread");
        life.brokenIf(asked.isTaken(), "a notice runs though its request is answered");
        asked.checkAbandoned();
        act();
    }

    /** Some fail, and some answer all the same, as a task does that is cancelled. */
    private void act() {
        int kind = (asked.reply.content().noise() + number) % 4;
        if (kind == 0) life.world.handling.answerNobody(asked);
        if (kind == 1) throw life.world.failures.make(asked, new IllegalStateException("in a notice"));
    }

    /** The loop sleeps, or has ended. */
    void check() {
        boolean told = times > 0;
        life.brokenIf(told != asked.request.isAbandoned(), "a notice has " + (told ? "" : "not ")
                + "run, and its request is " + (told ? "not " : "") + "abandoned");
    }
}
