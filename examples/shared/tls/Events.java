package tls;

import java.net.SocketAddress;
import java.util.ArrayList;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/** Gives the front's own events to the program's logger. From any thread. */
final class Events {

    private final Logger logger;

    Events(Logger logger) {
        this.logger = logger;
    }

    /** @param client and the cause may be null */
    void report(String event, SocketAddress client, Throwable cause) {
        try {
            if (!logger.enabled(event)) {
                return;
            }
            var entries = new ArrayList<LogEntry>();
            entries.add(new LogEntry("event", event));
            if (client != null) {
                entries.add(new LogEntry("remote_address", client.toString()));
            }
            logger.log(cause, entries.toArray(LogEntry[]::new));
        } catch (Throwable t) {
            // a logger that fails must not end the front, as it does not end the server
        }
    }
}
