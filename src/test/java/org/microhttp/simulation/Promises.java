package org.microhttp.simulation;

import java.nio.ByteBuffer;
import java.util.*;
import java.util.function.Consumer;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.protocol.Refusal;

/**
 * What the server owes one client, kept from what it was seen to do: it gets whole requests, in order, once;
 * each is answered, right, whole, in order, once; and the connection ends for a reason.
 */
final class Promises implements AnswerReader.Judge {

    private final SimulatedConnection life;
    private final World world;
    private final ClientPlan plan;
    private final AnswerReader reader = new AnswerReader(this);
    private final List<HandledRequest> asked = new ArrayList<>(4);
    private final List<BodySubscriber> bodies = new ArrayList<>(0);
    final Deadlines deadlines;

    /** Requests that were handed over, or turned away for want of a place. */
    int handed;

    /** Answers of which something, and all, was written; where each ends in what was written. */
    int started, finished;
    private long[] answerEnds = new long[4];
    private int answersRead;

    /** How many answers were written whole, by the first digit of their status. */
    final int[] answers = new int[6];

    /** The last request for which a 100 was written, and where that ends. */
    private int interim = -1;
    private long interimEnd;

    /** Whether an answer was seen behind which none is to come; whether the server itself has refused. */
    boolean last, refused;

    /** For which request the handler was asked last who receives its body. */
    private int askedFor = -1;

    /** Who receives the body of the next request; null for nobody. */
    BodySubscriber receiving;

    /** As what a request was refused whose body was being received; else null. */
    Refusal aborted;

    /** Whether the end, or a failure, was read; whether a call failed that should not. */
    boolean endSeen, failed;

    final FailedBody failedBody = new FailedBody(this);
    final ServerAnswerFields ownFields;
    boolean struck, everStruck;

    /** Whether the last write did not take all. */
    boolean blocked;

    /** Whether the last attempt got nothing of a file, though there is some, and the socket takes it. */
    boolean gotNothing;

    /** Whether that was so since all was sent for the last time. */
    boolean wasBlocked;

    /** Whether something was left from the turn before. */
    private boolean delayed;

    /** How things stood when the answer began that is being written. */
    private Deadlines.Moment moment;

    /** Whether it has ended otherwise than in peace. */
    boolean abrupt;

    /** What is being written, and what to add to an index of it to have the place in all that is. */
    private ByteBuffer source;
    private long base;

    Promises(SimulatedConnection life) {
        this.life = life;
        world = life.world;
        plan = life.plan;
        deadlines = new Deadlines(life, this);
        ownFields = new ServerAnswerFields(life);
    }

    /** Why it may end, or must not: null if it may. */
    void onClose(boolean dropUnsent) {
        // a subscriber may have failed when the end of its publisher was on its way
        boolean cut = dropUnsent && isStreaming() && stream().isOver();
        if (!cut) reader.settle();
        world.ledger.onClosed(life);
        life.brokenIf(reader.isUnframed() && !dropUnsent && !everStruck && !world.faults.clockStruck,
                "ends a body cleanly that is cut");
        String wrong = new CloseReason(life, this, dropUnsent).wrong();
        if (wrong != null) life.broken(wrong);
    }

    /** The client has lost what it had not read, for the server closed with input unread. */
    void onLoss() {
        boolean lost = life.taken < life.written && !abrupt && !life.clientReset;
        life.brokenIf(lost, "an answer is lost by a reset");
    }

    void onRegistered() {
        deadlines.onActive();
    }

    /** So much was read; -1 for the end. */
    void onRead(int count) {
        if (count > 0 || count < 0 && !endSeen) world.idleness.onProgress();
        if (count < 0) endSeen = true;
        if (count != 0) deadlines.onRead();
        world.bound.onRead(life);
    }

    void onFailure() {
        failed = true;
    }

    /** A file was asked to send so much of itself, and sent nothing, as if the socket were full. */
    void onNothing(long wanted) {
        world.bound.onWrite(life, wanted);
        blocked = true;
        gotNothing = true;
        wasBlocked = true;
    }

    void onOutputEnd() {
        reader.settle();
        if (isStreaming() && !failedBody.isCut()) cutStream();
        // nothing follows a body that has failed
        last |= failedBody.isCut();
        life.brokenIf(!failedBody.isCut() && !isAllSent(), "ends its side before all is sent");
        life.brokenIf(!last && !endSeen && !mayBeUnsaid(), "ends its side before the last answer");
        last = true;
        deadlines.onLinger();
        world.idleness.onProgress();
    }

    /** So much of what was to be written was taken, from the position of the buffer on; moves behind it. */
    void onWrite(ByteBuffer bytes, int count, long wanted) {
        world.bound.onWrite(life, wanted);
        life.brokenIf(failedBody.isCut(), "writes after a body that was cut");
        life.brokenIf(life.outputEnded, "writes behind its end");
        if (isAllSent()) deadlines.onBegin();
        source = bytes;
        base = life.written - source.position();
        int end = source.position() + count;
        try {
            reader.take(source, count);
        } catch (Broken | NumberFormatException e) {
            life.broken("wrote what is no answer: " + e.getMessage());
        }
        source.position(end);
        source = null;
        blocked = count < wanted;
        gotNothing = false;
        wasBlocked |= blocked;
        if (count > 0) {
            deadlines.onActive();
            world.idleness.onProgress();
        }
    }

    /** Whether some of an answer was written, and some not. */
    boolean isMidway() {
        return !reader.isBetween() && !isGivenUp();
    }

    /** Whether an answer was cut in the middle, and nothing follows. */
    private boolean isGivenUp() {
        return failedBody.isCut() && life.outputEnded;
    }

    /** Whether nothing is waiting to be written, as far as can be seen. */
    boolean isAllSent() {
        return isGivenUp() || !blocked && reader.isBetween() && given() <= finished;
    }

    /** How many answers the server was given, by the handler or by itself. */
    int given() {
        boolean pending = isOwed() || isVague() || isStreaming() && isAwaited();
        return pending ? Math.max(finished, handed - 1) : Math.max(finished, handed);
    }

    /** Whether the answer that is sent is streamed, and nothing of it is here that is not sent. */
    private boolean isAwaited() {
        return started > current().index || !current().stream().isBegun();
    }

    /** Whether an answer was given whose body is streamed, and is not over. */
    boolean isStreaming() {
        return stream() != null;
    }

    /** The body that is being streamed, or is next; null for none. */
    StreamedBody stream() {
        HandledRequest current = current();
        boolean over = current == null || finished > current.index || isGivenUp();
        StreamedBody stream = over ? null : current.stream();
        return stream == null || stream.isReplaced() ? null : stream;
    }

    /** Whether the last answer is the one that is sent, or is to be sent next. */
    boolean isNext() {
        return finished == current().index;
    }

    /** Whether the handler or a publisher still has something to give. */
    boolean isWaiting() {
        return isOwed() || isStreaming() && !stream().isEndTaken();
    }

    /** The server goes on: instead of a streamed answer of which nothing is sent there is a 500. */
    private void replaceStream(boolean silent) {
        if (isStreaming() && stream().mayBeReplaced(silent)) stream().replace();
    }

    /** Whether the answer that was sent last is streamed. */
    boolean isAfterStream() {
        return reader.isAfterStream();
    }

    /** Whether the last answer sent may be the last of all: its head may be sent before that is known. */
    boolean mayBeUnsaid() {
        return reader.isAfterStream() && (world.leaving || world.conditions.limitsBytes());
    }

    /** Whether the loop may not know yet that the streamed answer is over that was sent last. */
    boolean mayStillStream() {
        return isAfterStream() && hasTasks();
    }

    /** A publisher has signalled, which is a task of the loop. */
    void givenMore() {
        life.givenLately++;
    }

    /** Whether all answers before this one are sent, and nothing of it. */
    boolean isTurn(int index) {
        reader.settle();
        return finished == index && started == index && reader.isBetween();
    }

    /** Whether so much is sent of the body of an answer, and no more of anything. */
    boolean isSent(int index, long bytes) {
        if (blocked || finished != index) return false;
        return started == index ? bytes == 0 && reader.isBetween() : reader.isSent(bytes);
    }

    /** The server ends the connection within a streamed answer: for a reason, and all that came is sent. */
    void cutStream() {
        StreamedBody stream = stream();
        boolean begun = started > current().index;
        life.brokenIf(!stream.mayFail(), "cuts an answer whose publisher has not failed: " + stream);
        life.brokenIf(!begun, "cuts an answer of which nothing is sent: " + stream);
        boolean whole = !stream.isCutAtEnd() || reader.isSent(stream.signalled());
        life.brokenIf(!whole, "cuts an answer before what was signalled is sent: " + stream);
        failedBody.onCut(current().index, world);
    }

    /** The request that was handed over last; null if there is none, or it was turned away. */
    HandledRequest current() {
        return handed > 0 ? asked.get(handed - 1) : null;
    }

    /** Whether the last answer was given so near the end of its time that nobody knows what is being sent. */
    boolean isVague() {
        HandledRequest current = current();
        return current != null && current.maybe && !current.answered;
    }

    /** Whether the handler has a request that neither it nor the server has answered. */
    boolean isOwed() {
        HandledRequest current = current();
        return current != null && current.isOwed();
    }

    /** The handler is asked who receives the body of the next request; it may fail. */
    BodySubscriber onAsk(Request request) {
        onNext();
        int index = handed;
        life.brokenIf(index == askedFor, "the handler is asked again who receives a body");
        askedFor = index;
        life.brokenIf(life.read < plan.headEnd(index), "the handler is asked before the head is here");
        boolean same = index == plan.requests().size() || plan.isHead(index, request);
        life.brokenIf(!same || request.body().length > 0, "the handler is asked for another than " + index);
        world.ledger.onReserve(life);
        if (!plan.received()[index] || world.isBroken()) return null;
        world.tally.count("body received");
        world.turns.touch(life);
        receiving = new BodySubscriber(life, index, request);
        bodies.add(receiving);
        world.ledger.onReceiving(1);
        receiving.choose();
        return receiving;
    }

    /** The body of the next request is not received any more. */
    void onReceived() {
        if (receiving != null) world.ledger.onReceiving(-1);
        receiving = null;
    }

    /** Its connection has ended; or its request is known to be too large, and was refused before. */
    private void endReceiving() {
        boolean unknown = receiving.index < plan.requests().size() && !life.closed && !everStruck;
        life.brokenIf(unknown, "nobody is subscribed");
        onReceived();
    }

    /** The next request is refused, while its body is received. */
    void onAborted(Refusal refusal) {
        onReceived();
        aborted = refusal;
    }

    /** Who receives the body of a request has failed: it counts as handled, and gets a 500. */
    void onReceiverFailed(int index, Request request) {
        onReceived();
        if (life.closed) return;
        HandledRequest one = add(request, null);
        one.given = true;
        one.failed = true;
        one.cut = true;
    }

    /** Whether no request is taken after this one. */
    boolean isLast(int index) {
        HandledRequest one = asked(index);
        return one != null && one.cut || plan.isLast(index);
    }

    /** The server has looked at the next request: all before it are answered. */
    private void onNext() {
        life.brokenIf(world.stopped, "a request is taken after stop");
        life.brokenIf(life.closed, "a request of a closed connection");
        reader.settle();
        // the last chunk, or a 500 instead of all, may go out with the next answer
        boolean ended = isStreaming() && stream().isCompleted();
        if (ended) {
            stream().onTasksRun();
        } else {
            replaceStream(deadlines.isSilent());
        }
        life.brokenIf(isWaiting() && !ended, "a request before the one before it is answered");
        life.brokenIf(last || refused || handed > 0 && isLast(handed - 1), "a request behind the last");
    }

    /** The handler is given a request; null if that must not be. */
    HandledRequest onHandle(Request request, BodySubscriber given, Consumer<Response> callback) {
        onNext();
        int index = handed;
        BodySubscriber received = receiving;
        boolean unasked = askedFor != index && request.body().length > 0;
        life.brokenIf(unasked, "the handler was not asked who receives the body");
        boolean cut = received != null && !received.isCompleted();
        life.brokenIf(given != received, "a request with " + given + ", not " + received);
        life.brokenIf(cut && !received.isCancelled(), "a request before its body is received");
        onReceived();
        if (index >= plan.requests().size()) {
            life.broken("a request that was not sent: " + request.method() + " " + request.target());
        } else if (!cut && life.read < plan.ends()[index]) {
            life.broken("request " + index + " before it is whole");
        } else if (!plan.isHead(index, request) || !plan.isBody(index, request, received == null)) {
            life.broken("another request than " + index + ": " + request.method() + " " + request.target());
        }
        if (world.isBroken()) return null;
        life.tell("request " + index);
        HandledRequest one = add(request, callback);
        one.cut = cut;
        world.bound.onHandle(life);
        world.onHanded(one);
        return one;
    }

    private HandledRequest add(Request request, Consumer<Response> callback) {
        HandlerPlan reply = plan.reply(life.number, handed, world.conditions);
        if (current() != null) current().released = true;
        var one = new HandledRequest(life, handed, reply, request, callback, world.turns.begin());
        asked.add(one);
        handed++;
        world.idleness.onProgress();
        return one;
    }

    /** The handler gives its first answer, or fails. */
    void onGiven(HandledRequest one, boolean failure) {
        if (!one.isOwed()) return;
        long now = world.machine.now();
        if (!life.closed && now >= one.dueLow()) {
            // its time may be over already, and the answer of that be blocked
            one.maybe = true;
        }
        one.given = true;
        life.givenLately++;
        one.failed = failure;
        life.tell(failure ? "handler fails" : "answer " + one.index + " given");
        world.turns.touch(life);
    }

    @Override
    public void onBegin() {
        deadlines.catchUp();
        moment = deadlines.moment();
        // it may be the head of a 500, though that is not known yet
        if (isStreaming() && started == current().index) stream().onBegin(moment.silent());
        HandledRequest one = asked(started);
        // a 100 may go out in the turn in which the request became whole, or later if that was received
        boolean mayBeInterim = one != null && interim != started && plan.heads()[started] >= 0
                && (plan.received()[started] || one.low == world.turns.begin());
        if (one != null && !mayBeInterim) one.answered = true;
    }

    Deadlines.Moment moment() {
        return moment;
    }

    @Override
    public HandledRequest onHead(AnswerHead answer) {
        if (answer.isInterim()) {
            life.brokenIf(!answer.fields().isEmpty(), "a 100 with fields");
            onInterim();
            return null;
        }
        int index = started;
        started++;
        life.brokenIf(last, "an answer behind the last");
        world.tally.answered(answer.status());
        life.tell("answer " + index + " begins: " + answer.status() + (answer.isClosing() ? ", close" : ""));
        boolean dated = world.wall.isDate(answer.fields().get("date"), delayed);
        if (!dated) life.broken("a wrong date: " + answer.fields());
        String id = answer.fields().get("x-id");
        if (answer.isClosing()) last = true;
        HandledRequest one = asked(index);
        if (one != null) one.answered = true;
        if (one != null && one.stream() != null) one.stream().onHead(id != null, moment.silent());
        return id == null ? null : new PlannedAnswer(life, index, answer).judge(id);
    }

    private void onInterim() {
        int index = started;
        int[] heads = plan.heads();
        boolean due = index < heads.length ? heads[index] >= 0 && life.read >= heads[index] : plan.mayAwait();
        // while all places are taken, a body is kept
        boolean wanted = receiving == null || receiving.hasRequested() || world.conditions.limitsPending();
        life.brokenIf(!due || !wanted || interim == index, "a 100 that is not due");
        interim = index;
    }

    @Override
    public boolean isBare(AnswerHead answer) {
        int status = answer.status();
        if (answer.isInterim() || status == 204 || status == 205 || status == 304) return true;
        int index = started - 1;
        if (index < plan.requests().size() && life.read >= plan.ends()[index]) {
            return plan.requests().get(index).method().equals("HEAD");
        }
        return plan.isHeadLine(index, life.read, world.conditions.limits());
    }

    @Override
    public boolean isVague(AnswerHead answer) {
        // a server that is stopped has read, but not looked at, what comes then
        boolean unseen = world.conditions.limitsBytes() && answer.status() == 503 || world.isEnding();
        return unseen && answer.isClosing();
    }

    /** Whether the log may say that so much of an answer's body was sent. */
    boolean isToldOf(int index, long bytes, long most) {
        return reader.isWritten(index, bytes, most);
    }

    @Override
    public void onEnd(AnswerHead answer, String text) {
        if (answer.isInterim()) {
            interimEnd = end();
            return;
        }
        int index = finished;
        finished++;
        answers[answer.status() / 100]++;
        last |= answer.status() == 101;
        if (answer.fields().get("x-id") == null) new ServerAnswer(this, life, index, answer, text).judge();
        if (finished > answerEnds.length) answerEnds = Arrays.copyOf(answerEnds, 2 * finished);
        answerEnds[finished - 1] = end();
    }

    private long end() {
        return source == null ? life.written : base + source.position();
    }

    /** The server itself has answered a request that it did not hand over, for want of a place. */
    void onOverload() {
        asked.add(null);
        handed++;
    }

    HandledRequest asked(int index) {
        return index < asked.size() ? asked.get(index) : null;
    }

    /** All requests that were handed over; null for those that were turned away. */
    List<HandledRequest> asked() {
        return asked;
    }

    /** A turn is over in which something happened. */
    void settle(long turnEnd) {
        if (!hasTasks()) onTasksRun();
        if (receiving != null && (life.closed || !receiving.isSubscribed())) endReceiving();
        boolean goesOn = failedBody.isCut() && !life.closed && !life.outputEnded;
        life.brokenIf(goesOn, "goes on though a body was cut");
        deadlines.settle(turnEnd);
        delayed = !isAllSent();
        if (!delayed) wasBlocked = false;
        HandledRequest current = current();
        // an answer that was given in a task is taken in the next turn
        if (current != null) current.released = !current.isOwed() && !world.server.occupancy.hasTasks();
        // what was given in a task is a task of the next turn
        life.givenBefore = life.givenLately;
        life.givenLately = 0;
        struck = false;
    }

    /** The connection has ended. */
    void checkEnd() {
        bodies.forEach(BodySubscriber::checkEnd);
    }

    /** Whether its loop has tasks left. */
    boolean hasTasks() {
        return world.server.occupancy.hasTasks(life.selector.index);
    }

    /** Its loop has run all tasks. */
    void onTasksRun() {
        if (isStreaming()) stream().onTasksRun();
        if (isStreaming() && stream().isEndTaken()) reader.settle();
    }

    /** Whether the client has seen that it may speak another protocol. */
    boolean isInvited() {
        return isUpgraded() && started > current().index;
    }

    /** Whether the answer switches to another protocol. */
    boolean isUpgraded() {
        return isStreaming() && stream().isUpgrade() && !stream().isEndTaken();
    }

    /** How many answers the client has read. */
    int answersRead() {
        while (answersRead < finished && answerEnds[answersRead] <= life.taken) {
            answersRead++;
        }
        return answersRead;
    }

    boolean isInterimRead(int index) {
        return interim == index && interimEnd <= life.taken;
    }

    boolean isInterimWritten(int index) {
        return interim == index;
    }

    /** Whether some of a request was read that is not whole. */
    boolean isInside() {
        return isInside(handed);
    }

    /** The same, where so many are whole. */
    boolean isInside(int whole) {
        if (!plan.isGreeted(life.read)) return life.read > 0;
        long beyond = life.read - plan.start(whole);
        return beyond > 0 && !(beyond == 2 && plan.blanks()[Math.min(whole, plan.blanks().length - 1)]);
    }

    /** Whether what comes is no request any more, as far as can be seen. */
    boolean isBehindLast() {
        boolean closing = isStreaming() && (current().reply.closing() || stream().isUnframed());
        return last || refused || closing || isWaiting() && isLast(handed - 1);
    }
}
