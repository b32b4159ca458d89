package org.microhttp.simulation.scale;

import java.io.IOException;
import java.time.Duration;

/** What listens, accepts, answers, closes what is idle, and leaves. */
interface Server {

    /** After which time of silence a connection is closed. */
    Duration SILENCE = Duration.ofSeconds(75);

    /** How exact that is. */
    Duration TICK = Duration.ofMillis(100);

    int port();

    /** Serves on the calling thread until it has left. */
    void run() throws IOException;

    /** Closes everything in the next turn, which ends the server. */
    void leave();
}
