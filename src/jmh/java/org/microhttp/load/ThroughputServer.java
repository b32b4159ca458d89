package org.microhttp.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * The server that throughput is measured against: one loop, or a group of them, no logging, POST answered
 * with the body that came, whatever else with a line of text. The mode says who answers: {@code inline} the
 * handler at once, {@code async} another thread, as work that takes time would; {@code fresh} is inline with
 * a response made for each request, for what it costs to make one. A logger that counts exchanges shows what
 * their event costs. Runs until it is killed.
 */
public final class ThroughputServer {

    private static final String USAGE = """
            usage: ThroughputServer [PORT] [inline|async|fresh] [LOOPS] [quiet|count]
              PORT   0 to 65535, default 8080; 0 takes a free port
              LOOPS  1 to 999, default 1: more of them are a group
              count  has a logger that wants the event exchange alone, and counts it""";

    private static final Response HELLO = hello();

    /** Wants exchanges alone, and counts them. */
    private static final class CountingLogger implements Logger {

        /** A plain number, so that only what the library does is measured. */
        private long count;

        @Override
        public boolean enabled() { return true; }

        @Override
        public boolean enabled(String event) { return event.equals("exchange"); }

        @Override
        public void log(LogEntry... entries) { count += entries.length; }

        @Override
        public void log(Exception e, LogEntry... entries) { }
    }

    private ThroughputServer() { }

    public static void main(String[] args) throws IOException {
        String port = args.length > 0 ? args[0] : "8080";
        String mode = args.length > 1 ? args[1] : "inline";
        String loops = args.length > 2 ? args[2] : "1";
        String log = args.length > 3 ? args[3] : "quiet";
        boolean valid = args.length <= 4 && port.matches("[0-9]{1,5}") && Integer.parseInt(port) <= 65_535
                && loops.matches("[1-9][0-9]{0,2}") && List.of("quiet", "count").contains(log);
        if (!valid || !List.of("inline", "async", "fresh").contains(mode)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        Options options = new Options().withHost("127.0.0.1").withPort(Integer.parseInt(port))
                .withAcceptLength(16_384);
        Logger logger = log.equals("count") ? new CountingLogger() : new NoopLogger();
        if (loops.equals("1")) {
            runLoop(new EventLoop(options, logger, handler(mode)));
        } else {
            int count = Integer.parseInt(loops);
            runGroup(new EventLoopGroup(options, logger, handler(mode), count));
        }
    }

    private static void runLoop(EventLoop loop) {
        System.out.println("listening on 127.0.0.1:" + loop.getPort());
        loop.start();
    }

    private static void runGroup(EventLoopGroup group) {
        System.out.println("listening on 127.0.0.1:" + group.getPort());
        group.start();
    }

    private static Handler handler(String mode) {
        Supplier<Response> hello = mode.equals("fresh") ? ThroughputServer::hello : () -> HELLO;
        Handler inline = (request, callback) -> callback.accept(answer(request, hello));
        if (!mode.equals("async")) return inline;
        Executor executor = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "answers");
            thread.setDaemon(true);
            return thread;
        });
        return (request, callback) -> executor.execute(() -> inline.handle(request, callback));
    }

    private static Response answer(Request request, Supplier<Response> hello) {
        if (request.method().equals("POST")) {
            var type = new Header("Content-Type", "application/octet-stream");
            return new Response(200, "OK", List.of(type), request.body());
        }
        return hello.get();
    }

    private static Response hello() {
        return new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "hello world\n".getBytes(StandardCharsets.US_ASCII));
    }
}
