package org.microhttp.extras.accesslog;

import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.microhttp.ExchangeSummary;
import org.microhttp.Header;

/**
 * An exchange that has ended. Its values are as they came from the network.
 *
 * @param time     when the exchange ended
 * @param exchange the exchange, whose own headers are not kept
 * @param headers  the headers that a line may need
 */
record AccessRecord(Instant time, ExchangeSummary exchange, List<Header> headers) {

    /** How many bytes a record takes, roughly, without the characters of its values. */
    private static final int RECORD_BYTES = 1000;

    private static final Set<String> NEEDED = Set.of("referer", "user-agent", "forwarded", "x-forwarded-for");

    /** @param headers whether a line needs any */
    static AccessRecord of(Instant time, ExchangeSummary of, boolean headers) {
        List<Header> needed = !headers ? List.of() : of.headers().stream()
                .filter(header -> NEEDED.stream().anyMatch(header.name()::equalsIgnoreCase)).toList();
        // without its list, which would keep the whole header section
        var exchange = new ExchangeSummary(of.connection(), of.client(), of.method(), of.target(),
                of.version(), List.of(), of.status(), of.bytes(), of.duration(), of.complete(), of.code());
        return new AccessRecord(time, exchange, needed);
    }

    /** Roughly how many bytes the record takes. */
    int size() {
        int size = RECORD_BYTES + length(exchange.method()) + length(exchange.target())
                + length(exchange.version());
        for (Header header : headers) {
            size += header.name().length() + header.value().length();
        }
        return size;
    }

    private static int length(String value) {
        return value == null ? 0 : value.length();
    }

    /** The address of the client; null if it is unknown. */
    InetAddress client(Trust trust) {
        return trust.client(Address.parse(peer()), fields("Forwarded"), fields("X-Forwarded-For"));
    }

    /** Address and port of the other end of the connection, without a name before them. */
    String peer() {
        String peer = exchange.client() == null ? "" : exchange.client().toString();
        return peer.substring(peer.lastIndexOf('/') + 1);
    }

    /** The code of the server's own response; {@code incomplete} for a response that was cut; else null. */
    String code() {
        return exchange.status() != 0 && !exchange.complete() ? "incomplete" : exchange.code();
    }

    /** The values of all fields of a name, in their order. */
    List<String> fields(String name) {
        return headers.stream().filter(header -> header.name().equalsIgnoreCase(name)).map(Header::value)
                .toList();
    }

    /** The value of the first field of a name, or null. */
    String field(String name) {
        List<String> found = fields(name);
        return found.isEmpty() ? null : found.get(0);
    }
}
