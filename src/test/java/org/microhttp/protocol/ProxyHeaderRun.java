package org.microhttp.protocol;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.*;
import org.microhttp.Request;

/** What a parser that expects a PROXY header makes of octets that come in pieces. */
final class ProxyHeaderRun {

    /** The other end of the connection. */
    static final InetSocketAddress PROXY = new InetSocketAddress("127.0.0.1", 9);

    final Budget budget;
    final RequestParser parser;
    final List<Request> requests = new ArrayList<>();

    /** The status and the code; null if nothing was refused. */
    String refusal;

    ProxyHeaderRun(int requestSize, long most) {
        budget = new Budget(most);
        var limits = new RequestParser.Limits(requestSize, 1 << 15, 100, true, budget);
        parser = new RequestParser(limits, PROXY);
    }

    /** In pieces of a size. */
    static ProxyHeaderRun of(byte[] bytes, int size) {
        var run = new ProxyHeaderRun(1 << 20, 1 << 30);
        for (int from = 0; from < bytes.length && run.refusal == null; from += size) {
            run.feed(bytes, from, Math.min(size, bytes.length - from));
        }
        return run;
    }

    /** A turn. The array has just the size of the piece, and is spoiled afterwards. */
    void feed(byte[] bytes, int from, int length) {
        byte[] scratch = new byte[length];
        try {
            parser.receive(ByteBuffer.wrap(bytes, from, length), scratch);
            for (Request request; (request = ParserRun.next(parser)) != null; ) {
                requests.add(request);
            }
            parser.keep(scratch);
        } catch (RefusalException e) {
            refusal = e.refusal.status + " " + e.refusal.code;
        }
        java.util.Arrays.fill(scratch, (byte) 'P');
    }

    /** Whether the header was taken, whatever came behind it. */
    boolean isTaken() {
        return !parser.awaitsProxyHeader();
    }

    SocketAddress client() {
        return parser.client();
    }

    /** Whether the whole is the same; when something was refused matters no more than where. */
    boolean isLike(ProxyHeaderRun other) {
        return isTaken() == other.isTaken() && client().equals(other.client())
                && Objects.equals(refusal, other.refusal)
                && requests.stream().map(Request::target).toList()
                .equals(other.requests.stream().map(Request::target).toList());
    }
}
