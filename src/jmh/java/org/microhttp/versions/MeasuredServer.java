package org.microhttp.versions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * The server that is measured. Each version has this class once, loaded by its own loader: it is all that
 * knows the library, and is itself known by types of the JDK alone.
 */
public final class MeasuredServer implements Runnable {

    private final EventLoop loop;

    /** Where {@code later} says so, leaves answers in the queue, for somebody to give them. */
    public MeasuredServer(BooleanSupplier later, Queue<Runnable> answers) throws IOException {
        Response response = new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "hello world\n".getBytes(StandardCharsets.US_ASCII));
        Handler handler = (request, callback) -> {
            if (later.getAsBoolean()) {
                answers.add(() -> callback.accept(response));
            } else {
                callback.accept(response);
            }
        };
        loop = new EventLoop(new Options(), new NoopLogger(), handler);
    }

    @Override
    public void run() { loop.start(); }
}
