package org.microhttp;

import static org.microhttp.ConnectionState.UPGRADED;
import static org.microhttp.protocol.Syntax.matcher;

import java.io.IOException;
import org.microhttp.protocol.Refusal;
import org.microhttp.protocol.RequestParser;

/**
 * Passes on a client's input in another protocol, after the response that has switched to it. Input after a
 * cancel is read and dropped, because only a socket that is read shows a reset.
 */
final class UpgradeReceiver extends Receiver {
    private UpgradeReceiver(Exchange exchange, TaskQueue tasks) {
        super(exchange, tasks, exchange.stream().incoming());
    }

    /** Says whether the client has asked for the protocol, in a request without body (RFC 9110 §7.8). */
    static boolean isAllowed(Request asked, String protocol) {
        boolean body = asked.hasHeader("Transfer-Encoding")
                || matcher(".*[1-9].*", "" + asked.header("Content-Length")).matches();
        return !body && !asked.method().equals("HEAD") && !asked.version().equals("HTTP/1.0")
                && asked.lists("Connection", "upgrade") && asked.lists("Upgrade", protocol);
    }

    /** Switches to the other protocol until the connection ends; returns false if the switch is refused. */
    static boolean begin(Exchange exchange, Connection connection) {
        LoopContext context = connection.context;
        if (exchange.last) {
            // no buffer was left for what the client has sent ahead
            exchange.replace(Response.refusing(Refusal.OUT_OF_BUFFERS, context.group.bytes.limit));
            return false;
        }
        context.counters.add(Counters.UPGRADES, 1);
        connection.parser.upgrade();
        new UpgradeReceiver(exchange, context.tasks).begin(UPGRADED, connection);
        return true;
    }

    @Override
    boolean isOver(Connection connection) throws IOException {
        RequestParser parser = connection.parser;
        parser.next();
        return !isOpen() || connection.socket.endOfStream && !parser.hasBody();
    }

    /** Ends the input; the publisher goes on. */
    @Override
    boolean end(Connection connection) {
        complete();
        connection.parser.takePart();
        return false;
    }

    @Override
    public boolean wants() { return !isOpen() || super.wants(); }

    @Override
    void noteRequest(Connection connection) { }

    @Override
    void await(Connection connection) { }

    /** Cuts the connection. */
    @Override
    void fail(Throwable cause) { exchange.failStream(cause); }

    /** Returns until when one side has to send something. */
    @Override
    public long deadline(Connection connection) { return exchange.stream().deadline(connection.socket); }

    /** Reads once more, for what the client sends is a sign of life that the loop may not have seen. */
    @Override
    public void giveUp(Connection connection) throws IOException {
        if (connection.room() > 0) connection.readAndServe();
        exchange.stream().giveUp(connection.socket);
    }
}
