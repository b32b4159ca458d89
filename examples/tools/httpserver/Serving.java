package httpserver;

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
import org.microhttp.Server;
import org.microhttp.SystemLogger;

/**
 * What a server of HTTP does, and one of HTTPS would do as well: it is bound once, started once and stopped
 * once. From any thread. Events are logged where the JDK's server logs.
 */
final class Serving {

    /** The name that the JDK's dispatcher has. */
    private static final String THREAD = "HTTP-Dispatcher";

    private final Contexts contexts;
    private Server server;
    private Settings settings;
    private Thread thread;
    private Executor executor;

    /** Runs the handlers if the program sets no executor; null until it is needed. */
    private ExecutorService own;
    private boolean stopped;

    Serving(HttpServer itself) {
        contexts = new Contexts(itself);
    }

    Contexts contexts() {
        return contexts;
    }

    synchronized void bind(InetSocketAddress address, int backlog) throws IOException {
        Objects.requireNonNull(address, "address");
        if (server != null) {
            throw new BindException("the server is bound already");
        }
        if (address.isUnresolved()) {
            throw new SocketException("the address is not resolved: " + address);
        }
        settings = Settings.at(address, backlog);
        var dispatcher = new Dispatcher(this);
        Logger logger = new SystemLogger(System.getLogger("com.sun.net.httpserver"));
        try {
            server = settings.loops() == 1 ? new EventLoop(settings.options(), logger, dispatcher)
                    : new EventLoopGroup(settings.options(), logger, dispatcher, settings.loops());
        } catch (IOException e) {
            throw (IOException) new BindException(e.getMessage()).initCause(e);
        }
    }

    synchronized InetSocketAddress address() {
        return server == null ? null : (InetSocketAddress) server.getAddress();
    }

    synchronized void setExecutor(Executor given) {
        if (thread != null) {
            throw new IllegalStateException("the server is started already");
        }
        executor = given;
    }

    synchronized Executor executor() {
        return executor;
    }

    synchronized void start() {
        if (server == null || thread != null || stopped) {
            throw new IllegalStateException("the server is not bound, or started already, or stopped");
        }
        thread = new Thread(server::start, THREAD);
        thread.start();
    }

    /** Waits as long as exchanges are open, and no longer than the delay; then closes what is left. */
    void stop(int delay) {
        if (delay < 0) {
            throw new IllegalArgumentException("delay is " + delay + "; allowed: 0 or more seconds");
        }
        Server bound;
        ExecutorService threads;
        synchronized (this) {
            stopped = true;
            bound = server;
            threads = own;
        }
        if (bound != null) {
            bound.stop(Duration.ofSeconds(Math.min(delay, Duration.ofDays(365).toSeconds())));
        }
        if (threads != null) {
            threads.shutdown();
        }
    }

    long drainAmount() {
        return settings.drainAmount();
    }

    /** Runs a handler where it may block, which the loop must not. */
    void execute(Runnable handler) {
        Executor given = executor();
        if (given == null) {
            ownThreads().execute(handler);
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
