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
 * other user may enter. Temporary folders are removed, by programs that clean up or by hand: then no client
 * could connect any more, or a stranger could make a folder of that name. So the front looks at the socket
 * before each connect, and when it is not the one that was made, there is another server, at another socket.
 * Those from before keep their connections. Limits that hold for all connections hold for each of them.
 */
final class InnerServers {

    private static final String SOCKET = "server";
    private static final String LOCALE = "TLS needs a locale of UTF-8: set LC_ALL=C.UTF-8";

    /** What tells a file from a later one at its place. */
    private static final String IDENTITY =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix")
                    ? "unix:dev,ino,uid,ctime" : "creationTime";

    private final Options options;
    private final FrontLog log;
    private final Handler handler;
    private final int loops;
    private final EventLoopGroup first;

    /** Those that were made later and have connections, and the newest. */
    private final List<EventLoopGroup> later = new ArrayList<>();

    /** What later ones have done that are closed. */
    private final List<Stats> past = new ArrayList<>();
    private boolean ended;

    /** Where the newest server listens; what its socket is known by; null for a port. */
    private Path folder;
    private Map<String, Object> identity;
    private SocketAddress address;

    /** @param loopback to listen at a port of 127.0.0.1 in any case */
    InnerServers(Options given, FrontLog log, Handler handler, int loops, boolean loopback)
            throws IOException {
        Options proxied = given.withProxyProtocol(true).withOnStopping(once(given.onStopping()))
                .withExchangeListener(log.listener(given.exchangeListener()));
        this.log = log;
        this.handler = withSessions(handler);
        this.loops = loops;
        if (!loopback && hasUnixSockets()) {
            // with an empty list only clients of the Unix domain socket, which the front has counted
            options = proxied.withTrustedProxies(List.of()).withMaxConnections(Options.NO_LIMIT);
            first = makeInFolder();
        } else {
            options = proxied.withHost("127.0.0.1").withPort(0).withTrustedProxies(List.of("127.0.0.0/8"));
            first = make(options);
        }
    }

    /** Gives requests the sessions of their clients. */
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

    /** For all servers together; null for null. */
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

    /** The path of a socket has some 100 bytes at most, so the folder for temporary files may be too long. */
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
        // it is the names of sockets that cannot be decoded
        boolean locale = failure.getCause() instanceof IllegalArgumentException;
        throw new IOException(locale ? LOCALE
                : "TLS needs a folder for a socket: set java.io.tmpdir to another; " + failure, failure);
    }

    /** @param made for the user of the process alone, as are all temporary folders of the JDK */
    private EventLoopGroup makeIn(Path made) throws IOException {
        Path socket = made.resolve(SOCKET);
        EventLoopGroup group = null;
        try {
            group = make(options.withUnixSocket(socket));
            identity = identity(socket);
            folder = made;
            // what is named last is deleted first
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

    /** Where to connect to now; makes another server if the socket is gone. For the front's thread. */
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

    /** The first stays: it is what the thread of the program runs. */
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

    /** Serves on the calling thread, until it is stopped. */
    void start(Runnable running) {
        first.start(running);
    }

    boolean isLoopThread() {
        return all().stream().anyMatch(EventLoopGroup::isLoopThread);
    }

    void stop() {
        last().forEach(EventLoopGroup::stop);
    }

    /** All that there will be: a server that ends removes its socket, which must not look like a loss. */
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

    /** Closes those that start did not run, and removes the folder. */
    void end() throws IOException {
        // without the lock, which their threads may wait for
        last().stream().skip(1).forEach(Server::close);
        removeFolder();
    }

    private synchronized void removeFolder() throws IOException {
        if (folder != null && isThere()) {
            delete(folder);
        } else if (folder != null) {
            // the servers have removed theirs
            Files.deleteIfExists(folder);
        }
    }

    synchronized Stats stats() {
        var each = new ArrayList<>(past);
        all().forEach(group -> each.add(group.stats()));
        return each.stream().reduce(Stats::plus).orElseThrow();
    }
}
