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
 * The work of a server of HTTP or HTTPS: it is bound once, started once and stopped once. Thread-safe. Events
 * are logged where the JDK's server logs.
 */
final class Serving {

    /** How long the server's thread may take to end when it has nothing left to do. */
    private static final long END_MILLIS = 1_000;

    private final Contexts contexts;

    /** Makes the engines of TLS; null for a server without TLS. */
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

    /** The exchange that a handler gets, which has another class with TLS. */
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

    /** Not null once the server is started, as with the JDK: handlers may use the executor. */
    synchronized Executor executor() {
        return executor == null && thread != null ? ownThreads() : executor;
    }

    synchronized void start() {
        if (!isBound() || thread != null || stopped) {
            throw new IllegalStateException("the server is not bound, or started already, or stopped");
        }
        // the JDK's name for its thread
        thread = new Thread(server::start, "HTTP-Dispatcher");
        thread.start();
    }

    /** Waits while exchanges are open, for at most the delay; then closes all connections. */
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

    /** Runs a handler on a thread that may block, which the loop's must not. */
    void execute(Runnable handler) {
        Executor given = executor();
        if (given == own) {
            given.execute(handler);
            return;
        }
        Thread loop = Thread.currentThread();
        // on an executor such as Runnable::run, the loop would wait for bytes that only the loop can bring
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
