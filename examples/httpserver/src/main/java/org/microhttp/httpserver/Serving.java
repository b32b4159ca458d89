package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Logger;
import org.microhttp.Options;
import org.microhttp.Server;
import org.microhttp.SystemLogger;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;

/**
 * What a server of HTTP does, and one of HTTPS would do as well: it is bound once, started once and stopped
 * once. From any thread. Events are logged where the JDK's server logs.
 */
final class Serving {

    /** What a thread may take to end that has nothing left to do. */
    private static final long END_MILLIS = 1_000;

    private final Contexts contexts;

    /** Makes the engines of TLS; null for a server without. */
    private final TlsSettings.Engines engines;
    private volatile Server server;
    private Settings settings;
    private Thread thread;
    private Executor executor;

    /** Runs the handlers if the program sets no executor; null until it is needed. */
    private ExecutorService own;
    private boolean stopped;

    Serving(HttpServer itself, TlsSettings.Engines engines) {
        contexts = new Contexts(itself);
        this.engines = engines;
    }

    Contexts contexts() { return contexts; }

    synchronized void bind(InetSocketAddress address, int backlog) throws IOException {
        Objects.requireNonNull(address, "address");
        if (isBound()) {
            throw new BindException("the server is bound already");
        }
        if (address.isUnresolved()) {
            throw new SocketException("the address is not resolved: " + address);
        }
        settings = Settings.at(address, backlog);
        Logger logger = new SystemLogger(System.getLogger("com.sun.net.httpserver"));
        try {
            server = make(settings.options(), logger);
        } catch (IOException e) {
            throw (IOException) new BindException(e.getMessage()).initCause(e);
        }
    }

    private Server make(Options options, Logger logger) throws IOException {
        var dispatcher = new Dispatcher(this).handler();
        if (engines != null) {
            return new TlsServer(options, logger, dispatcher, settings.tls(engines), settings.loops());
        }
        return settings.loops() == 1 ? new EventLoop(options, logger, dispatcher)
                : new EventLoopGroup(options, logger, dispatcher, settings.loops());
    }

    private boolean isBound() {
        return server != null;
    }

    synchronized InetSocketAddress address() {
        return server == null ? null : (InetSocketAddress) server.getAddress();
    }

    /** The exchange that a handler gets: with TLS it is one of another class. */
    HttpExchange shown(Exchange exchange) {
        return engines == null ? exchange : new SecureExchange(exchange, exchange.session());
    }

    synchronized void checkNotStarted() {
        if (thread != null) {
            throw new IllegalStateException("the server is started already");
        }
    }

    synchronized void setExecutor(Executor given) {
        checkNotStarted();
        executor = given;
    }

    /** Once the server is started there is one in any case, as with the JDK: handlers may use it. */
    synchronized Executor executor() {
        return executor == null && thread != null ? ownThreads() : executor;
    }

    synchronized void start() {
        if (!isBound() || thread != null || stopped) {
            throw new IllegalStateException("the server is not bound, or started already, or stopped");
        }
        // the name that the JDK's has
        thread = new Thread(server::start, "HTTP-Dispatcher");
        thread.start();
    }

    /** Waits as long as exchanges are open, and no longer than the delay; then closes what is left. */
    void stop(int delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("delay is " + delay + "; allowed: 0 or more seconds");
        }
        Duration grace = Duration.ofSeconds(Math.min(delay, Duration.ofDays(365).toSeconds()));
        if (server != null) {
            server.stop(grace);
        }
        end();
    }

    private synchronized void end() {
        stopped = true;
        if (own != null) {
            own.shutdown();
        }
        try {
            if (thread != null) {
                thread.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long drainAmount() { return settings.drainAmount(); }

    /** Runs a handler where it may block, which the loop must not. */
    void execute(Runnable handler) {
        Executor given = executor();
        if (given == own) {
            given.execute(handler);
            return;
        }
        Thread loop = Thread.currentThread();
        // an executor that runs its tasks itself would have the loop wait for what only the loop can bring
        given.execute(() -> {
            if (Thread.currentThread() == loop) {
                ownThreads().execute(handler);
            } else {
                handler.run();
            }
        });
    }

    private synchronized ExecutorService ownThreads() {
        if (own == null) {
            own = HandlerThreads.make();
            if (stopped) {
                own.shutdown();
            }
        }
        return own;
    }
}
