package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.microhttp.EventLoopGroup;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.Server;
import org.microhttp.Stats;

/**
 * The server that the front passes decrypted bytes to, at a Unix domain socket in a temporary folder that no
 * other user may enter. If that folder is removed, by a cleaning program or by hand, no client could connect
 * any more, or another user could make a folder of that name. So the front checks the socket before each
 * connect. If it is not the original one, the front makes another server at another socket. Earlier servers
 * keep their connections. Limits for all connections hold for each server.
 */
final class InnerServers {

    private static final String SOCKET = "server";
    private static final String LOCALE = "TLS needs a locale of UTF-8: set LC_ALL=C.UTF-8";

    /** Distinguishes a file from a later one at the same path. */
    private static final String IDENTITY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
                    ? "unix:dev,ino,uid,ctime" : "creationTime";

    private final Options options;
    private final FrontLog log;
    private final Handler handler;
    private final int loops;
    private final EventLoopGroup first;

    /** Later servers that have connections, and the newest server. */
    private final List<EventLoopGroup> later = new ArrayList<>();

    /** What closed servers have counted. */
    private final List<Stats> past = new ArrayList<>();
    private boolean ended;

    /** The newest server's folder and the identity of its socket, null for a port; its address. */
    private Path folder;
    private Map<String, Object> identity;
    private SocketAddress address;

    /** @param loopback to listen at a port of 127.0.0.1 even if there are Unix domain sockets */
    InnerServers(Options given, FrontLog log, Handler handler, int loops, boolean loopback)
            throws IOException {
        Options proxied = given.withProxyProtocol(true).withOnStopping(once(given.onStopping()))
                .withExchangeListener(log.listener(given.exchangeListener()));
        this.log = log;
        this.handler = withSessions(handler);
        this.loops = loops;
        if (!loopback && hasUnixSockets()) {
            // an empty list allows only clients of the Unix domain socket; the front has counted these
            options = proxied.withTrustedProxies(List.of()).withMaxConnections(Options.NO_LIMIT);
            first = makeInFolder();
        } else {
            options = proxied.withHost("127.0.0.1").withPort(0).withTrustedProxies(List.of("127.0.0.0/8"));
            first = make(options);
        }
    }

    /** Adds the session of its client to each request. */
    private Handler withSessions(Handler handler) {
        return new Handler() {

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                handler.handle(withSession(request), callback);
            }

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                return handler.receiver(withSession(request));
            }
        };
    }

    private Request withSession(Request request) {
        SSLSession session = log.session(request.remoteAddress());
        return session == null ? request : request.withAttribute(SSLSession.class, session);
    }

    /** Runs an action once for all servers together; null for null. */
    private static Runnable once(Runnable action) {
        var left = new AtomicReference<>(action);
        return action == null ? null : () -> {
            Runnable taken = left.getAndSet(null);
            if (taken != null) {
                taken.run();
            }
        };
    }

    private static boolean hasUnixSockets() throws IOException {
        try {
            ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    private EventLoopGroup make(Options place) throws IOException {
        var made = new EventLoopGroup(place, log.inner, handler, loops);
        address = made.getAddress();
        return made;
    }

    /** A socket's path has some 100 bytes at most, so the path of the temporary folder may be too long. */
    private EventLoopGroup makeInFolder() throws IOException {
        var parents = new LinkedHashSet<>(List.of(System.getProperty("java.io.tmpdir"), "/tmp"));
        IOException failure = null;
        for (String parent : parents) {
            try {
                return makeIn(Files.createTempDirectory(Path.of(parent), "microhttp-tls-"));
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            } catch (InvalidPathException e) {
                throw new IOException(LOCALE, e);
            }
        }
        // the name of a socket cannot be decoded
        boolean locale = failure.getCause() instanceof IllegalArgumentException;
        throw new IOException(locale ? LOCALE
                : "TLS needs a folder for a socket: set java.io.tmpdir to another; " + failure, failure);
    }

    /** @param made a folder only for the user of the process, as the JDK makes temporary folders */
    private EventLoopGroup makeIn(Path made) throws IOException {
        Path socket = made.resolve(SOCKET);
        EventLoopGroup group = null;
        try {
            group = make(options.withUnixSocket(socket));
            identity = identity(socket);
            folder = made;
            // deleted in reverse order
            made.toFile().deleteOnExit();
            socket.toFile().deleteOnExit();
            return group;
        } catch (Throwable t) {
            if (group != null) {
                group.close();
            }
            delete(made);
            throw t;
        }
    }

    private static Map<String, Object> identity(Path socket) throws IOException {
        return Files.readAttributes(socket, IDENTITY, LinkOption.NOFOLLOW_LINKS);
    }

    private static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(SOCKET));
        Files.deleteIfExists(folder);
    }

    boolean isUnix() {
        return folder != null;
    }

    /** Where to connect now; makes another server if the socket is gone. For the front's thread. */
    synchronized SocketAddress address() throws IOException {
        if (isUnix() && !ended && !isThere()) {
            closeIdle();
            EventLoopGroup made = makeInFolder();
            later.add(made);
            made.startAsync();
            made.ended().exceptionally(failure -> {
                stop();
                return null;
            });
        }
        return address;
    }

    private boolean isThere() {
        try {
            return identity(((UnixDomainSocketAddress) address).getPath()).equals(identity);
        } catch (IOException e) {
            return false;
        }
    }

    /** Closes idle servers, except the first, which a thread of the program runs. */
    private void closeIdle() {
        for (EventLoopGroup idle : List.copyOf(later)) {
            if (idle.stats().connections() == 0) {
                idle.close();
                later.remove(idle);
                past.add(idle.stats());
            }
        }
        if (past.size() > 1) {
            Stats sum = past.stream().reduce(Stats::plus).orElseThrow();
            past.clear();
            past.add(sum);
        }
    }

    private synchronized List<EventLoopGroup> all() {
        var all = new ArrayList<>(List.of(first));
        all.addAll(later);
        return all;
    }

    /** Serves on the calling thread until stopped. */
    void start(Runnable running) {
        first.start(running);
    }

    boolean isLoopThread() {
        return all().stream().anyMatch(EventLoopGroup::isLoopThread);
    }

    void stop() {
        last().forEach(EventLoopGroup::stop);
    }

    /** Returns all servers, and prevents more: one that ends removes its socket, but is not replaced. */
    private synchronized List<EventLoopGroup> last() {
        ended = true;
        return all();
    }

    /** @return how many requests were dropped */
    int stop(Duration grace) {
        Executor threads = task -> new Thread(task, "tls-stop").start();
        List<EventLoopGroup> last = last();
        var others = last.stream().skip(1)
                .map(group -> CompletableFuture.supplyAsync(() -> group.stop(grace), threads)).toList();
        return first.stop(grace) + others.stream().mapToInt(CompletableFuture::join).sum();
    }

    /** Closes all servers but the first, and removes the folder. */
    void end() throws IOException {
        // without the lock, for which server threads may wait
        last().stream().skip(1).forEach(Server::close);
        removeFolder();
    }

    private synchronized void removeFolder() throws IOException {
        if (folder != null && isThere()) {
            delete(folder);
        } else if (folder != null) {
            // the server has removed its socket
            Files.deleteIfExists(folder);
        }
    }

    synchronized Stats stats() {
        var each = new ArrayList<>(past);
        all().forEach(group -> each.add(group.stats()));
        return each.stream().reduce(Stats::plus).orElseThrow();
    }
}
