package org.microhttp;

import java.io.IOException;

/**
 * Passes on what a client sends in another protocol, after the response that has switched to it. What comes
 * after a cancel is dropped, for only a socket that is read shows a reset.
 */
final class UpgradeReceiver extends Receiver {

    UpgradeReceiver(Exchange exchange, TaskQueue tasks) {
        super(exchange, tasks, exchange.stream().incoming());
    }

    @Override
    boolean isOver(Connection connection) throws IOException {
        RequestParser parser = connection.parser;
        parser.next();
        if (parser.hasBody()) exchange.stream().lastSignal = connection.loop.now();
        return hasEnded() || connection.socket.endOfStream && !parser.hasBody();
    }

    /** The publisher goes on. */
    @Override
    boolean end(Connection connection) {
        complete();
        connection.parser.takeBody();
        return false;
    }

    @Override
    boolean wants() { return hasEnded() || super.wants(); }

    @Override
    void await(Connection connection) { }

    /** Cuts the connection. */
    @Override
    void fail(Throwable cause) { exchange.failStream(cause); }
}
