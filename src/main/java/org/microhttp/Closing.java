package org.microhttp;

import java.nio.channels.*;

/** Closing a channel, also when there is no memory. */
final class Closing {

    private Closing() { }

    /** Out of memory a close may fail before it cancels the key, on which the descriptor hangs. */
    static void close(SelectableChannel channel, SelectionKey key) {
        try {
            channel.close();
        } catch (Throwable t) {
            // as closed as it can be
        }
        try {
            if (key != null) key.cancel();
        } catch (Throwable t) {
            // likewise
        }
    }
}
