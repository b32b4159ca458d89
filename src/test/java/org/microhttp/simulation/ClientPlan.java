package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.*;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.wire.model.*;

/**
 * What a client is going to do, and what must come of what it sends.
 *
 * @param text     all that it sends
 * @param requests that are to be answered by the handler, as far as it comes to that
 * @param ends     the index behind each
 * @param heads    where it waits for a 100, else -1
 * @param blanks   whether an empty line goes before each, and before what is behind the last
 * @param refused  whether what is behind the last is refused, and with which statuses
 * @param mayAwait whether a 100 may be sent for what is behind the last
 * @param limited  whether the last is as many as one may send
 * @param preface  what goes before them
 * @param received whether the body of each is received as it comes, and that of what is behind the last
 * @param upgrade  whether the last request is answered by a switch to another protocol
 */
record ClientPlan(long seed, byte[] text, List<Parsed> requests, int[] ends, int[] heads, boolean[] blanks,
                  boolean refused, Set<Integer> statuses, boolean mayAwait, boolean limited,
                  ProxyPreface preface, boolean[] received, Upgrade upgrade, ClientBehaviour manners) {

    /** Bytes, for who reads them. */
    private static final int SHOWN = 2_000;

    /** More than a turn takes. */
    private static final int MANY = 200;

    enum Sending { ONE_BY_ONE, PIPELINED, CUT, TRICKLE, AWAITING, AHEAD }

    enum Reading { AT_ONCE, SLOW, LATE, NEVER }

    /** What it does when it has sent all and has all answers, or earlier. */
    enum ClientEnd { CLOSE, STAY, HALF_CLOSE, RESET, VANISH }

    /**
     * How a client does it.
     *
     * @param start when it connects
     * @param pace  how long it waits at most before it goes on, in nanoseconds
     */
    record ClientBehaviour(Sending sending, Reading reading, ClientEnd ending, long start, long pace) {

        ClientBehaviour pipelined() {
            return new ClientBehaviour(Sending.PIPELINED, reading, ending, start, pace);
        }

        static ClientBehaviour random(SplittableRandom random, Conditions conditions) {
            return new ClientBehaviour(Conditions.pick(random, Sending.ONE_BY_ONE, Sending.ONE_BY_ONE,
                            Sending.PIPELINED, Sending.PIPELINED, Sending.CUT, Sending.CUT, Sending.AWAITING,
                            Sending.AHEAD,
                            random.nextInt(3) == 0 ? Sending.TRICKLE : Sending.CUT),
                    Conditions.pick(random, Reading.AT_ONCE, Reading.AT_ONCE, Reading.AT_ONCE, Reading.SLOW,
                            Reading.LATE, Reading.NEVER),
                    Conditions.pick(random, ClientEnd.CLOSE, ClientEnd.CLOSE, ClientEnd.CLOSE, ClientEnd.STAY,
                            ClientEnd.HALF_CLOSE, ClientEnd.RESET, ClientEnd.VANISH),
                    random.nextLong(conditions.span() + 1),
                    Conditions.pick(random, 0L, 1_000L, 1_000_000L, 300_000_000L));
        }
    }

    Sending sending() {
        return manners.sending;
    }

    Reading reading() {
        return manners.reading;
    }

    ClientEnd ending() {
        return manners.ending;
    }

    long start() {
        return manners.start;
    }

    long pace() {
        return manners.pace;
    }

    /** For who reads the story of a failure. */
    @Override
    public String toString() {
        String sent = new String(text, 0, Math.min(text.length, SHOWN), ISO_8859_1);
        return "%s, %d requests%n%s%s".formatted(manners, requests.size(), RandomCases.escape(sent),
                text.length > SHOWN ? " and " + (text.length - SHOWN) + " bytes more" : "");
    }

    /** Draws one, of so many requests at most, from what clients may send. */
    static ClientPlan random(long seed, ClientInputs items, Conditions conditions, int most) {
        var random = new SplittableRandom(seed);
        ClientBehaviour manners = ClientBehaviour.random(random, conditions);
        var chosen = new ArrayList<ClientInput>();
        boolean burst = random.nextInt(300) == 0;
        int many = burst ? 2 * MANY : random.nextInt(40) == 0 ? 40 : 8;
        int count = Math.min(most, 2 + random.nextInt(many));
        if (burst) manners = manners.pipelined();
        boolean open = true;
        for (int i = 0; i < count && open; i++) {
            ClientInput next = burst ? items.small(random) : next(items, random, manners, conditions);
            chosen.add(next);
            open = next.isOpen();
        }
        if (open && random.nextInt(4) == 0) {
            chosen.add(items.closed(random));
            open = false;
        }
        Upgrade upgrade = burst || !open ? Upgrade.NONE : Upgrade.random(random, conditions);
        if (upgrade != Upgrade.NONE) chosen.add(upgrade.item(conditions.limits(), random));
        ListenConditions door = conditions.door();
        ProxyPreface.Draft draft = ProxyPrefaces.draw(seed, door);
        byte[] text = text(draft, draft.last() ? List.of() : chosen);
        ProxyPreface preface = door.proxied() ? draft.judge(text, conditions.limits()) : ProxyPreface.NONE;
        if (preface.isRight()) return join(seed, chosen, manners, preface, text, conditions, upgrade);
        // of what comes behind nothing is a request
        return new ClientPlan(seed, text, List.of(), new int[0], new int[0], new boolean[1],
                preface.flawAt() != ProxyPreface.NEVER, Set.of(), false, false, preface, new boolean[1],
                Upgrade.NONE, manners);
    }

    /** Draws a request of an ordinary client; not all that are large may be followed by others. */
    private static ClientInput next(ClientInputs items, SplittableRandom random, ClientBehaviour manners,
            Conditions conditions) {
        if (conditions.streamsMore() && random.nextInt(3) == 0) return items.large(random);
        boolean waits = manners.sending == Sending.AWAITING
                || manners.sending == Sending.AHEAD && random.nextBoolean();
        return waits ? items.awaiting(random) : items.open(random);
    }

    private static byte[] text(ProxyPreface.Draft draft, List<ClientInput> items) {
        int length = items.stream().mapToInt(item -> item.text().length).sum();
        var text = Arrays.copyOf(draft.bytes(), draft.bytes().length + length);
        int at = draft.bytes().length;
        for (ClientInput item : items) {
            System.arraycopy(item.text(), 0, text, at, item.text().length);
            at += item.text().length;
        }
        return text;
    }

    private static ClientPlan join(long seed, List<ClientInput> items, ClientBehaviour manners,
            ProxyPreface preface, byte[] text, Conditions conditions, Upgrade upgrade) {
        int limit = conditions.door().requests();
        var random = new SplittableRandom(seed + 99);
        var received = new ArrayList<Boolean>();
        var requests = new ArrayList<Parsed>();
        var ends = new ArrayList<Integer>();
        var heads = new ArrayList<Integer>();
        var blanks = new ArrayList<Boolean>();
        boolean open = true;
        boolean all = true;
        int at = preface.end();
        for (ClientInput item : items) {
            all = open;
            for (int i = 0; i < item.ends().length && open; i++) {
                requests.add(item.requests().get(i));
                ends.add(at + item.ends()[i]);
                heads.add(item.heads()[i] < 0 ? -1 : at + item.heads()[i]);
                blanks.add(item.blanks()[i]);
                received.add(item.isReceived(random, conditions, false));
                open = item.requests().get(i).persistent() && requests.size() < limit;
            }
            at += item.text().length;
        }
        ClientInput last = items.isEmpty() ? null : items.get(items.size() - 1);
        boolean closed = open && last != null && !last.isOpen();
        blanks.add(closed && last.blanks()[last.ends().length]);
        received.add(closed && last.isReceived(random, conditions, true));
        boolean mayAwait = closed && new String(last.text(), ISO_8859_1)
                .toLowerCase(Locale.ROOT).contains("expect");
        return new ClientPlan(seed, text, requests, numbers(ends), numbers(heads), truths(blanks),
                closed && last.refused(), closed ? last.statuses() : Set.of(), mayAwait,
                requests.size() == limit, preface, truths(received), all ? upgrade : Upgrade.NONE, manners);
    }

    private static int[] numbers(List<Integer> all) {
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean[] truths(List<Boolean> all) {
        var array = new boolean[all.size()];
        for (int i = 0; i < array.length; i++) {
            array[i] = all.get(i);
        }
        return array;
    }

    /** What the handler is to do with a request: the same whenever it is asked. */
    HandlerPlan reply(int client, int index, Conditions conditions) {
        boolean plain = requests.size() > MANY / 2;
        var random = new SplittableRandom(seed ^ (index + 1) * 0x9E3779B97F4A7C15L);
        HandlerPlan reply = HandlerPlan.plan(client, index, plain, conditions, random);
        boolean upgrades = upgrade != Upgrade.NONE && index == requests.size() - 1;
        return upgrades ? reply.upgrade(random) : reply;
    }

    /** How many of the requests are whole in the first so many bytes. */
    int whole(long bytes) {
        int count = 0;
        while (count < ends.length && ends[count] <= bytes) {
            count++;
        }
        return count;
    }

    /** Whether nothing is taken behind the last of the requests. */
    boolean isLast(int index) {
        return asksToClose(index) || limited && index == requests.size() - 1;
    }

    /** Whether nothing is taken behind the last of the requests because its client asks for the close. */
    boolean asksToClose(int index) {
        return index == requests.size() - 1 && !requests.get(index).persistent();
    }

    /** Whether it is known by so many bytes for whom it comes, so that requests may follow. */
    boolean isGreeted(long bytes) {
        return bytes >= preface.end();
    }

    /** Where the header section of a request ends, or of what is behind the last. */
    int headEnd(int index) {
        int at = start(index) + 2;
        while (at + 3 < text.length && !(text[at] == '\r' && text[at + 2] == '\r' && text[at + 3] == '\n')) {
            at++;
        }
        return at + 4;
    }

    /** Whether the handler was given what was sent. Compares in place, for there are many. */
    boolean isHead(int index, Request request) {
        Parsed expected = requests.get(index);
        if (!request.method().equals(expected.method())) return false;
        if (!request.target().equals(expected.target())) return false;
        if (!request.version().equals(expected.version())) return false;
        List<Header> fields = request.headers();
        if (fields.size() != expected.fields().size()) return false;
        for (int i = 0; i < fields.size(); i++) {
            if (!isSame(expected.fields().get(i), fields.get(i))) return false;
        }
        return true;
    }

    /** Whether it has its body, or none if that was received before. */
    boolean isBody(int index, Request request, boolean kept) {
        return isSame(kept ? requests.get(index).body() : "", request.body());
    }

    private static boolean isSame(String line, Header field) {
        int colon = field.name().length();
        return line.length() == colon + 2 + field.value().length() && line.startsWith(field.name())
                && line.startsWith(": ", colon) && line.startsWith(field.value(), colon + 2);
    }

    private static boolean isSame(String text, byte[] bytes) {
        if (text.length() != bytes.length) return false;
        for (int i = 0; i < bytes.length; i++) {
            if (text.charAt(i) != (bytes[i] & 0xFF)) return false;
        }
        return true;
    }

    /** Whether a request has this target, or what is behind the last, as far as that is one. */
    boolean isTarget(int index, String target) {
        if (index < requests.size()) return requests.get(index).target().equals(target);
        int from = start(index);
        while (from < text.length && text[from] != ' ') {
            from++;
        }
        int end = from + 1 + target.length();
        return end <= text.length && target.equals(new String(text, from + 1, target.length(), ISO_8859_1));
    }

    /** Where a request begins, or what is behind the last. */
    int start(int index) {
        if (index > 0) return ends[index - 1];
        return preface.isRight() ? preface.end() : 0;
    }

    /** Whether the line behind the requests before is read, and one that begins with the method HEAD. */
    boolean isHeadLine(int index, long read, RequestLimits limits) {
        int from = start(index) + (blanks[index] ? 2 : 0);
        int most = (int) Math.min(read, from + Math.min(limits.headerSize(), limits.requestSize()));
        for (int i = from; i < most; i++) {
            int value = text[i] & 0xFF;
            boolean end = value == '\r' && i + 1 < most && text[i + 1] == '\n';
            if (end) return i - from >= 5 && new String(text, from, 5, ISO_8859_1).equals("HEAD ");
            if (value < ' ' && value != '\t' || value == 0x7F) return false;
        }
        return false;
    }
}
