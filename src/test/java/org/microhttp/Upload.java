package org.microhttp;

import java.util.Arrays;
import java.util.Random;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RefusalException;

/**
 * One request of an {@link UploadWorld}: what its client sends, by the byte, and what has become of it. Its
 * body is received as it comes, or kept in memory.
 */
final class Upload implements PlannedReceiver.Source {

    /** What is wrong with its framing. */
    private static final String WRONG = "x\r\n";

    private final UploadWorld world;
    final UploadClient client;
    final int index;

    /** Who receives the body; null if it is kept in memory. */
    final PlannedReceiver receiver;
    final boolean http10, expects, closing;

    /** Whether its head says how long it is. */
    private final boolean counted;

    /** Whether the framing breaks at some place. */
    final boolean wrong;
    final String body, wire;
    final int headEnd;

    /** How many bytes of the body are in so many bytes of the request. */
    private final int[] bodyIn;

    /** How often the handler was asked who receives it, and called; whether it has answered. */
    int asked, handled;
    boolean answered;
    private long handledAt;

    Upload(UploadWorld world, UploadClient client, int index, Random random) {
        this.world = world;
        this.client = client;
        this.index = index;
        http10 = random.nextInt(8) == 0;
        closing = random.nextInt(8) == 0;
        expects = random.nextInt(4) == 0;
        int kind = random.nextInt(20);
        int size = kind < 2 ? 0 : kind < 15 ? random.nextInt(50) : random.nextInt(kind < 19 ? 900 : 9000);
        body = letters(size, random.nextInt(26));
        boolean chunked = !http10 && random.nextBoolean();
        counted = !chunked;
        boolean streamed = random.nextInt(4) > 0 && (chunked || size > 0);
        receiver = streamed ? new PlannedReceiver(world, this, random) : null;
        wrong = chunked && random.nextInt(10) == 0;
        String method = random.nextInt(8) == 0 ? "GET" : "POST";
        String head = method + " /" + client.number + "/" + index
                + (http10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n")
                + "Host: x\r\nConnection: " + (closing ? "close" : "keep-alive") + "\r\n"
                + (expects ? "Expect: 100-continue\r\n" : "")
                + (chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: " + size + "\r\n\r\n");
        headEnd = head.length();
        var all = new StringBuilder(head);
        var content = new int[headEnd + 20 * size + 200];
        int done = 0;
        while (done < size) {
            int most = random.nextBoolean() ? 3 : 400;
            int count = chunked ? 1 + random.nextInt(Math.min(size - done, most)) : size;
            String extension = random.nextInt(9) == 0 ? ";a=b" : "";
            if (chunked) all.append(Integer.toHexString(count)).append(extension).append("\r\n");
            for (int i = 0; i < count; i++) {
                all.append(body.charAt(done));
                done++;
                content[all.length()] = done;
            }
            if (chunked) all.append("\r\n");
            if (wrong && random.nextInt(4) == 0) break;
        }
        if (chunked) all.append(wrong ? WRONG : random.nextInt(4) == 0 ? "0\r\nA: b\r\n\r\n" : "0\r\n\r\n");
        wire = all.toString();
        bodyIn = Arrays.copyOf(content, wire.length() + 1);
        for (int i = 1; i < bodyIn.length; i++) {
            bodyIn[i] = Math.max(bodyIn[i], bodyIn[i - 1]);
        }
    }

    private static String letters(int size, int first) {
        var text = new StringBuilder();
        for (int i = 0; i < size; i++) {
            text.append((char) ('a' + (first + i) % 26));
        }
        return text.toString();
    }

    /** How much of the request the server has read, and how much of its body that is. */
    int read() {
        return (int) Math.max(0, Math.min(wire.length(), client.client.channel.read - client.starts[index]));
    }

    int bodyRead() {
        return bodyIn[read()];
    }

    boolean isWhole() {
        return !wrong && read() == wire.length();
    }

    /** Whether the server says that there is a body. */
    boolean hasBody() {
        return !wire.contains("\r\nContent-Length: 0\r\n");
    }

    /** Whether its head shows that it is larger. */
    boolean declaresMoreThan(long limit) {
        return counted && wire.length() > limit;
    }

    /** The handler is called. */
    void onHandled() {
        handled++;
        handledAt = world.now();
        world.check(handled == 1, "is handled again: " + this);
    }

    @Override
    public void onSignal(String signal) {
        world.check(handled == 0, signal + " comes after the handler was called for " + this);
    }

    @Override
    public void onSubscribe() {
        world.check(asked == 1, "is subscribed before it is asked for: " + this);
        boolean small = !declaresMoreThan(world.options.maxStreamedSize());
        world.check(small, "is subscribed, and is known to be too large: " + this);
    }

    @Override
    public void onNext() {
        world.check(body.startsWith(receiver.content.toString()), "gets another body: " + this);
    }

    @Override
    public void onError(Throwable cause) {
        boolean cut = cause instanceof RefusalException refused && refused.refusal == Refusal.TRUNCATED;
        world.check(!cut || receiver.content.length() == bodyRead(), "is cut before what has come: " + this);
    }

    @Override
    public void onComplete() {
        world.check(isWhole(), "is complete, and has not come: " + this);
        world.check(receiver.content.toString().equals(body), "is complete with another body: " + this);
        // while nobody could be asked, the limit was that of what is kept
        boolean small = wire.length() <= world.options.maxStreamedSize();
        world.check(small || world.limitsPlaces(), "is larger than may be: " + this);
    }

    /** Whether it holds a place, if its connection is open. */
    boolean surelyHasPlace() {
        boolean inTime = world.now() - handledAt < world.options.handlerTimeout().toNanos();
        boolean receives = asked == 1 && receiver != null && receiver.isSubscribed() && !receiver.isOver();
        return receives || handled == 1 && !answered && inTime;
    }

    /** Whether it may hold a place. */
    boolean mayHavePlace() {
        boolean receives = asked == 1 && receiver != null && !receiver.isOver();
        return receives || handled == 1 && !answered;
    }

    @Override
    public String toString() {
        return "c" + client.number + "/" + index;
    }
}
