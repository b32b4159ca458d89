package org.microhttp.simulation;

/**
 * When a connection must be given up, and must not yet. What happens in a turn has some time between its
 * beginning and its end for the server, so a deadline lies between two times.
 */
final class Deadlines {

    enum Mode { NONE, IDLE, READING, OWED, RECEIVING, BLOCKED, STREAMING, LINGERING }

    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_SILENCE = 5 * SECOND;
    private static final long MAX_LINGERING = 30 * SECOND;

    /** How long one is kept that a loop finds idle which leaves. */
    private static final long STAY = SECOND;

    /** A span of time in which something was noted. */
    private static final class Span {

        long low, high;
        private boolean open;

        void note(long earliest) {
            low = earliest;
            open = true;
        }

        /** It may have been noted in the present turn, too. */
        void extend(long turnEnd) {
            high = turnEnd;
        }

        void close(long turnEnd) {
            if (open) high = turnEnd;
            open = false;
        }
    }

    /** Which deadlines have come at some moment, and which is waited for. */
    record Moment(long now, boolean timely, boolean requestTime, boolean socketTime,
                  boolean silent) {
    }

    private final SimulatedConnection life;
    private final World world;
    private final Promises promises;
    private final Span active = new Span(), wrote = new Span(), began = new Span(), signalled = new Span();
    private final Span lingered = new Span(), lingering = new Span();

    /** When a body is received: when the present pause began; and the client's time, without pauses. */
    private final Span paused = new Span(), sending = new Span();
    private boolean isPaused;

    /** How many pauses have ended that the loop may not know of, and the sum of when they began. */
    private int resumes;
    private long resumed;
    private int readingIndex = -1;
    private Mode mode = Mode.NONE;
    boolean wasGreeted;

    /** Whether a publisher has signalled when it was silent for too long, and the loop may have seen that. */
    private boolean wasSilent;
    private long dueLow, dueHigh;

    /** For when the world was asked to look whether it was kept. */
    private long watched = Long.MAX_VALUE;

    Deadlines(SimulatedConnection life, Promises promises) {
        this.life = life;
        this.promises = promises;
        world = life.world;
    }

    Mode mode() {
        return mode;
    }

    /**
     * When the server last looked at the clock, which is when it takes to have happened what does now; but
     * some looks are for its log alone.
     */
    private long lastLook() {
        boolean sure = world.isPlain() && !world.conditions.logged();
        return Math.max(world.turns.begin(), sure ? world.looks.last() : 0);
    }

    /** The connection is there, or something was written. */
    void onActive() {
        active.note(lastLook());
        wrote.note(lastLook());
    }

    /** Nothing was waiting to be sent, and now something is. */
    void onBegin() {
        wrote.note(lastLook());
    }

    /** A publisher was asked, or has signalled: on another thread, before the turn in which that is seen. */
    void onSignal() {
        wasSilent = isSilent();
        signalled.note(life.isOnItsThread() ? lastLook() : world.machine.now());
    }

    /** Whether a publisher has been silent for so long that its answer may be given up. */
    boolean isSilent() {
        if (wasSilent) return true;
        // in NONE the loop had not taken what was signalled when this was looked at
        boolean due = isDue(Mode.STREAMING) || mode == Mode.NONE && promises.isStreaming();
        return due && world.machine.now() >= streaming(false);
    }

    private long streaming(boolean high) {
        long last = Math.max(at(active, high), at(signalled, high));
        StreamedBody stream = promises.stream();
        boolean both = stream != null && stream.isUpgrade();
        long end = (both ? last : at(signalled, high)) + world.streamTimeout;
        if (!promises.endSeen) return end;
        return Math.min(end, last + world.socketTimeout);
    }

    /** Who receives a body is subscribed, or has got all that it wanted; or wants more, on any thread. */
    void onDemand(boolean wants) {
        boolean first = !promises.receiving.hasRequested() && !wants;
        long look = life.isOnItsThread() ? lastLook() : world.machine.now();
        if (first) sending.note(look);
        if (first || !wants) {
            isPaused = true;
            paused.note(look);
            return;
        }
        isPaused = false;
        long pausedHigh = paused.open ? world.machine.now() : paused.high;
        sending.low += Math.max(0, look - pausedHigh);
        resumes++;
        resumed += paused.low;
        active.note(look);
    }

    /** Whether who receives a body may have been silent for too long. */
    boolean isReceiverSilent() {
        boolean unseen = isPaused || resumes > 0;
        return unseen && world.machine.now() >= paused.low + world.handlerTimeout;
    }

    /** Whether the client may have sent nothing, or too little, of a body for too long. */
    boolean isSenderLate(boolean nothing) {
        long low = nothing ? active.low + world.socketTimeout : sending.low + world.requestTimeout;
        return !isPaused && world.machine.now() >= low;
    }

    private long receiving(boolean high) {
        if (isPaused) return at(paused, high) + world.handlerTimeout;
        long silence = at(active, high) + world.socketTimeout;
        // who has sent enough has new time
        boolean endless = high && life.read - life.plan.start(promises.handed) >= world.minReceived;
        return endless ? silence : Math.min(silence, at(sending, high) + world.requestTimeout);
    }

    /** Something was read. */
    void onRead() {
        if (life.outputEnded) {
            lingered.note(lastLook());
        } else {
            // what follows the last request is dropped, and then is no activity
            active.note(promises.last ? active.low : lastLook());
        }
    }

    /** The server has ended its side, and reads what still comes. */
    void onLinger() {
        lingering.note(lastLook());
        lingered.note(lastLook());
    }

    /** The turn is over: says anew what is waited for, and until when. */
    void settle(long turnEnd) {
        if (!promises.hasTasks()) closeSignals(turnEnd);
        Mode next = next();
        boolean reading = next == Mode.READING && (mode != Mode.READING || readingIndex != promises.handed);
        if (next == Mode.READING && !reading) greet(turnEnd);
        wasGreeted = life.plan.isGreeted(life.read);
        if (reading) {
            began.note(world.turns.begin());
            readingIndex = promises.handed;
        }
        for (Span span : new Span[] {active, wrote, began, lingered, lingering}) {
            span.close(turnEnd);
        }
        HandledRequest current = promises.current();
        if (current != null && current.high == current.low) {
            current.high = turnEnd;
        }
        long low = due(next, false);
        // one that has passed by now is due in the next tick
        long high = Math.max(due(next, true), turnEnd + 1);
        if (next == mode && low == dueLow && high == dueHigh) return;
        mode = next;
        dueLow = low;
        dueHigh = high;
        watch();
    }

    /** The loop has taken all that was signalled or requested. */
    private void closeSignals(long turnEnd) {
        signalled.close(turnEnd);
        wasSilent = false;
        paused.close(turnEnd);
        sending.close(turnEnd);
        if (resumes == 0) return;
        sending.high += resumes * turnEnd - resumed;
        active.note(active.low);
        resumes = 0;
        resumed = 0;
    }

    /** One time is for a header and a request, if some of one came with the rest of the other. */
    private void greet(long turnEnd) {
        boolean now = !wasGreeted && life.plan.isGreeted(life.read);
        if (now && world.bound.hasReadTwice(life)) began.extend(turnEnd);
    }

    private void watch() {
        if (mode == Mode.NONE || dueHigh >= watched) return;
        watched = dueHigh;
        world.turns.watch(life, dueHigh);
    }

    /** A time has passed for which it was watched, and the loop has had its turn since. */
    void onDue(long time) {
        if (life.closed || time != watched) return;
        watched = Long.MAX_VALUE;
        if (mode != Mode.NONE && dueHigh <= time) {
            life.broken("nothing happens at its deadline: " + this);
        } else {
            watch();
        }
    }

    private Mode next() {
        if (life.closed) return Mode.NONE;
        if (life.outputEnded) return Mode.LINGERING;
        if (promises.isOwed()) return promises.blocked ? Mode.NONE : Mode.OWED;
        if (promises.isVague()) return Mode.NONE;
        if (promises.isStreaming() && isUnsettled()) return Mode.NONE;
        if (promises.receiving != null) {
            boolean unsure = !promises.isAllSent() || promises.receiving.isOver() || resumes > 0;
            return unsure ? Mode.NONE : Mode.RECEIVING;
        }
        if (!promises.isAllSent()) return Mode.BLOCKED;
        if (promises.isStreaming()) return Mode.STREAMING;
        if (promises.last) return Mode.NONE;
        return promises.isInside() ? Mode.READING : Mode.IDLE;
    }

    /** Whether something was signalled that the loop has not taken. */
    private boolean isUnsettled() {
        return signalled.open && promises.hasTasks() || promises.stream().isOver();
    }

    private long due(Mode of, boolean high) {
        return switch (of) {
            case NONE -> 0;
            case IDLE -> idle(high);
            case READING ->
                    Math.min(at(active, high) + world.socketTimeout, at(began, high) + world.requestTimeout);
            case RECEIVING -> receiving(high);
            case OWED -> high ? promises.current().dueHigh() : promises.current().dueLow();
            case STREAMING -> streaming(high);
            case BLOCKED -> at(wrote, high) + world.socketTimeout;
            case LINGERING ->
                    Math.min(at(lingered, high) + MAX_SILENCE, at(lingering, high) + MAX_LINGERING);
        };
    }

    private long idle(boolean high) {
        long own = at(active, high) + world.socketTimeout;
        if (!world.leaving) return own;
        long since = high ? Math.max(at(active, true), world.turns.leftBy()) : at(active, false);
        return Math.min(own, since + STAY);
    }

    private static long at(Span span, boolean high) {
        return high ? span.high : span.low;
    }

    /** Whether the deadline of what was waited for before this turn has come, and not long ago. */
    boolean isDue(Mode waitedFor) {
        boolean leavingNow = waitedFor == Mode.IDLE && world.leaving;
        long low = leavingNow ? Math.min(dueLow, at(active, false) + STAY) : dueLow;
        long high = leavingNow ? Math.max(dueHigh, idle(true)) : dueHigh;
        return mode == waitedFor && world.machine.now() >= low && !world.ticks.isLate(life, high);
    }

    boolean isWriteTime() {
        return world.machine.now() >= wrote.low + world.socketTimeout;
    }

    /** Whether a loop that leaves may end what lingers. */
    boolean isLeftBehind() {
        return mode == Mode.LINGERING && world.leaving && world.machine.now() >= at(active, false) + STAY;
    }

    /** Takes note of what has happened in a turn that is not yet over: its own deadline may have come. */
    void catchUp() {
        if (life.touched && life.selector != null) settle(world.machine.now());
    }

    /** How things stand now. */
    Moment moment() {
        long now = world.machine.now();
        return new Moment(now, isDue(Mode.READING), now >= began.low + world.requestTimeout,
                now >= active.low + world.socketTimeout, isSilent());
    }

    @Override
    public String toString() {
        return "%s from %.3f to %.3f ms".formatted(mode, dueLow / 1e6, dueHigh / 1e6);
    }
}
