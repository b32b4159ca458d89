package org.microhttp.simulation;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.*;
import org.microhttp.wire.model.*;

/**
 * What clients may send under certain limits: a stock that is judged once, for the reference parser is slow.
 * There is another stock for each number.
 */
final class ClientInputs {

    private static final int PLAIN = 300;
    private static final int SMALL = 60;
    private static final int RANDOM = 150;
    private static final int LARGE = 40;

    /** How many times as large a received body may be as one that is kept, in some worlds. */
    static final int MORE = 5;

    /** What bodies begin with: a byte that is lost, or comes twice, changes it. */
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-".repeat(2800);
    private static final List<ParserVector> VECTORS = ParserVector.load();

    private final RequestLimits limits;
    private final SplittableRandom random;
    private final List<ClientInput> open = new ArrayList<>();
    private final List<ClientInput> small = new ArrayList<>();
    private final List<ClientInput> closed = new ArrayList<>();
    private final List<ClientInput> awaiting = new ArrayList<>();

    /** Requests whose bodies are received, and may be larger than one that is kept; made when asked for. */
    private final List<ClientInput> large = new ArrayList<>();

    ClientInputs(RequestLimits limits, long number) {
        this.limits = limits;
        random = new SplittableRandom(number);
        for (int i = 0; i < PLAIN; i++) {
            add(plain());
        }
        for (int i = 0; i < RANDOM; i++) {
            String text = RequestRenderer.render(random, RequestModel.pipeline(random));
            add(random.nextInt(3) == 0 ? RequestMutator.mutate(random, text) : text);
        }
        for (ParserVector vector : VECTORS) {
            if (vector.limits().equals(limits)) {
                add(new String(vector.bytes(), ISO_8859_1));
            }
        }
    }

    /** Those that vectors have, and the usual ones. */
    static List<RequestLimits> allLimits() {
        return VECTORS.stream().map(ParserVector::limits).distinct().toList();
    }

    private void add(String text) {
        if (text.isEmpty()) return;
        ClientInput item = ClientInput.judge(text, limits, false);
        if (!item.isOpen()) {
            closed.add(item);
        } else if (item.heads()[item.heads().length - 1] >= 0) {
            awaiting.add(item);
            open.add(item);
        } else {
            open.add(item);
            if (item.ends().length == 1 && item.text().length < SMALL) small.add(item);
        }
    }

    /** Something behind which more may come. */
    ClientInput open(SplittableRandom choice) {
        return open.get(choice.nextInt(open.size()));
    }

    /** A request without a body. */
    ClientInput small(SplittableRandom choice) {
        return small.get(choice.nextInt(small.size()));
    }

    /** Something that ends what a client has to say. */
    ClientInput closed(SplittableRandom choice) {
        return closed.get(choice.nextInt(closed.size()));
    }

    /** A request whose client waits for a 100. */
    ClientInput awaiting(SplittableRandom choice) {
        return awaiting.isEmpty() ? open(choice) : awaiting.get(choice.nextInt(awaiting.size()));
    }

    /** A request whose body is to be received as it comes. */
    ClientInput large(SplittableRandom choice) {
        if (large.isEmpty()) addLarge();
        return large.get(choice.nextInt(large.size()));
    }

    private void addLarge() {
        int most = limits.requestSize() * MORE;
        var more = new RequestLimits(most, limits.headerSize(), limits.fields(), limits.proxied());
        for (int i = 0; i < LARGE; i++) {
            var text = new StringBuilder("POST /large HTTP/1.1\r\nHost: x\r\n");
            body(text, 10 + random.nextInt(10), random.nextInt(most + most / 10));
            large.add(ClientInput.judge(text.toString(), more, true));
        }
    }

    /** A request as programs send them, small mostly. */
    private String plain() {
        int kind = random.nextInt(20);
        String method = kind < 8 ? "GET" : kind < 10 ? "HEAD" : "POST";
        boolean old = random.nextInt(15) == 0;
        var text = new StringBuilder(method).append(" /").append(random.nextInt(1000));
        text.append(old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\nHost: x\r\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append("Accept-").append(i).append(": a/b, ").append(random.nextInt(100)).append("\r\n");
        }
        boolean other = random.nextInt(12) == 0;
        if (other) text.append(old ? "Connection: keep-alive\r\n" : "Connection: close\r\n");
        if (kind >= 10) {
            int size = random.nextInt(20);
            int most = size == 0 ? limits.requestSize() - 200 : size == 1 ? limits.requestSize() / 4 : 300;
            body(text, kind, random.nextInt(Math.max(1, Math.min(most, LETTERS.length()))));
        } else {
            text.append("\r\n");
        }
        return text.toString();
    }

    private void body(StringBuilder text, int kind, int length) {
        if (kind >= 17) text.append("Expect: 100-continue\r\n");
        String body = LETTERS.substring(0, length);
        if (kind % 3 != 0 || text.indexOf("HTTP/1.0") >= 0) {
            text.append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
            return;
        }
        text.append("Transfer-Encoding: chunked\r\n\r\n");
        for (int from = 0; from < body.length(); ) {
            int size = 1 + random.nextInt(body.length() - from);
            text.append(Integer.toHexString(size)).append("\r\n");
            text.append(body, from, from + size).append("\r\n");
            from += size;
        }
        text.append("0\r\n\r\n");
    }
}
