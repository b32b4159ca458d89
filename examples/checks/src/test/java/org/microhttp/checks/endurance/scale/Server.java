package org.microhttp.checks.endurance.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.microhttp.*;
import org.microhttp.simulation.network.Machine;

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

    /** A loop of the library, which answers everything at once. */
    final class OfLibrary implements Server {

        private static final Response ANSWER =
                new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")), "idle".getBytes());

        private final EventLoop loop;

        OfLibrary(Machine machine, int backlog) throws IOException {
            var options = new Options().withPort(0).withAcceptLength(backlog).withSocketTimeout(SILENCE)
                    .withResolution(TICK);
            var timed = Inside.withClock(options, machine::nanoTime, machine::currentTimeMillis);
            loop = new EventLoop(timed, new NoopLogger(), (request, callback) -> callback.accept(ANSWER));
        }

        @Override
        public int port() {
            return loop.getPort();
        }

        @Override
        public void run() {
            loop.start();
        }

        @Override
        public void leave() {
            loop.stop(Duration.ofMinutes(1));
        }
    }
}
