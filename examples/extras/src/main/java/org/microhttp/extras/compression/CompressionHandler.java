package org.microhttp.extras.compression;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.microhttp.Body;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.Variant;
import org.microhttp.extras.representation.Vary;

/**
 * Compresses the responses of another handler with gzip, for clients that accept it: {@code new
 * CompressionHandler(handler)}. Bodies of all kinds are compressed: arrays and texts, buffers, files, and
 * data of publishers.
 * <p>
 * <b>What is compressed.</b> A response whose type and size {@link CompressionOptions} name. Not one with the
 * status 101, 204, 205, 206 or 304, or with a field Content-Encoding, Content-Range, Content-Digest,
 * Repr-Digest, Digest or Content-MD5, or with {@code Cache-Control: no-transform} (RFC 9111 §5.2.2.6). A
 * response that can be compressed has {@code Vary: Accept-Encoding}, whatever the client accepts; so has a
 * 304.
 * <p>
 * <b>For whom.</b> For clients whose Accept-Encoding admits gzip, by name or by an asterisk, with any weight
 * but 0; weights above 0 do not matter, since the content is the same. A client that accepts neither gzip nor
 * identity gets the response uncompressed. So does a client that sends no such field or a malformed one, and
 * a client of HTTP/1.0, which has no chunks.
 * <p>
 * <b>What changes.</b> Content-Encoding is added. Content-Length and Accept-Ranges are removed. A strong ETag
 * becomes weak, since it would name other bytes (RFC 9110 §8.8.3); so does the ETag of a 304 if the client
 * sent the weak tag. So clients cannot use the tag of a compressed response in If-Match. A HEAD gets the
 * fields of a GET, but no length.
 * <p>
 * <b>When and where.</b> A body of 8 KiB or less is compressed at once, in about 0.1 ms, by the thread that
 * calls the callback; the response has a length. Other bodies are compressed while they are sent, 16 KiB at a
 * time and only as fast as the client reads. Daemon threads do this, one for each processor, which all
 * handlers share: the loop does not wait. These threads also read files, and call {@code request} of a
 * publisher. Data of a publisher, such as an event, is flushed as soon as the publisher has nothing more, so
 * the client need not wait for the next event.
 * <p>
 * <b>Secrets.</b> Over TLS, the length of a compressed response reveals repeated text. If one response has a
 * secret, such as a token in a form, and also a text that the request has chosen, a page of another site can
 * guess the secret character by character (the attack BREACH). Exclude such responses by {@code
 * Cache-Control: no-transform}:
 * <pre>{@code
 *   return Response.of(200, "text/html", form).withHeader("Cache-Control", "no-store, no-transform");
 * }</pre>
 * <b>What a client can hold.</b> A client that does not read holds a deflater of some 300 KiB, and up to
 * eight compressed pieces, until the server disconnects it. {@link CompressionOptions#maxStreams} limits the
 * deflaters; further responses are not compressed. A deflater is released when its body is sent, fails or is
 * cancelled; a response that is never sent needs none.
 * <p>
 * Responses of the server itself, such as a 413, do not pass through this handler. Safe for any number of
 * loops.
 */
public final class CompressionHandler implements Handler {

    /** In bytes: compressing more takes longer than switching to another thread. */
    private static final int MOST_AT_ONCE = 8 << 10;

    private static final int IDLE_SECONDS = 10;
    private static final Executor THREADS = threads();

    /** The plain variant counts as larger, so it is chosen only if gzip is not accepted. */
    private static final Resource EITHER = new Resource(null, null, null,
            List.of(new Variant(Coding.IDENTITY, 1, null), new Variant(Coding.GZIP, 0, null)));

    private static final Set<Integer> EXCLUDED_STATUSES = Set.of(101, 204, 205, 206, 304);

    /** Fields that compression would make false, or that say the content is compressed; in lower case. */
    private static final Set<String> EXCLUDING_FIELDS = Set.of("content-encoding", "content-range",
            "content-digest", "repr-digest", "digest", "content-md5");

    /** For a response to HEAD, which has no body: its length is unknown, so no Content-Length is sent. */
    private static final Body UNKNOWN = Body.of((Flow.Publisher<ByteBuffer>) subscriber -> {
        throw new IllegalStateException("a response to HEAD has no body");
    });

    private final Handler next;
    private final Handler changed;
    private final CompressionOptions options;
    private final Executor threads;

    /** A permit for each deflater of a stream. */
    final Semaphore places;

    /**
     * Makes a handler with the default options.
     *
     * @param next makes the responses
     * @throws NullPointerException if it is null
     */
    public CompressionHandler(Handler next) {
        this(next, CompressionOptions.DEFAULT);
    }

    /**
     * Makes a handler.
     *
     * @param next    makes the responses
     * @param options say which responses are compressed
     * @throws NullPointerException if an argument is null
     */
    public CompressionHandler(Handler next, CompressionOptions options) {
        this(next, options, THREADS);
    }

    CompressionHandler(Handler next, CompressionOptions options, Executor threads) {
        this.next = Objects.requireNonNull(next, "next");
        this.options = Objects.requireNonNull(options, "options");
        this.threads = threads;
        places = new Semaphore(options.maxStreams());
        changed = next.andThen(this::change);
    }

    private static Executor threads() {
        int most = Runtime.getRuntime().availableProcessors();
        var pool = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> {
                    var thread = new Thread(task, "compression");
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        changed.handle(request, callback);
    }

    @Override
    public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
        return next.receiver(request);
    }

    private Response change(Request request, Response response) {
        if (response == null) {
            return null;
        }
        if (response.status() == 304) {
            return notModified(request, response);
        }
        if (!isCompressible(request, response)) {
            return response;
        }
        Response varied = Vary.on("Accept-Encoding", response);
        boolean accepted = Outcome.unconditional(request, EITHER).coding() == Coding.GZIP;
        if (!accepted || request.version().equals("HTTP/1.0")) {
            return varied;
        }
        Body body = request.method().equals("HEAD") ? UNKNOWN : compressed(response.body());
        return body == null ? varied : withWeakTag(varied).withoutHeader("Content-Length")
                .withoutHeader("Accept-Ranges").withHeader("Content-Encoding", "gzip").withBody(body);
    }

    private boolean isCompressible(Request request, Response response) {
        if (EXCLUDED_STATUSES.contains(response.status())
                || !options.isWorthIt(response.header("Content-Type"))) {
            return false;
        }
        for (Header field : response.headers()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            boolean fixed = name.equals("cache-control")
                    && Stream.of(field.value().split(",")).map(String::strip)
                            .anyMatch(directive -> directive.equalsIgnoreCase("no-transform"));
            if (fixed || EXCLUDING_FIELDS.contains(name)) {
                return false;
            }
        }
        long size = size(request, response);
        return size < 0 || size >= options.minSize();
    }

    /** A response to HEAD may have a length instead of a body. */
    private static long size(Request request, Response response) {
        long size = response.body().length();
        String length = response.header("Content-Length");
        boolean alone = size == 0 && length != null && request.method().equals("HEAD");
        return alone ? Long.parseLong(length) : size;
    }

    private static Response withWeakTag(Response response) {
        String tag = response.header("ETag");
        boolean strong = tag != null && !tag.startsWith("W/");
        return strong ? response.withHeader("ETag", "W/" + tag) : response;
    }

    /** With the strong tag, a cache would not find its stored response (RFC 9111 §4.3.4). */
    private static Response notModified(Request request, Response response) {
        String tag = response.header("ETag");
        boolean weakened = tag != null
                && request.values("If-None-Match").stream().anyMatch(known -> known.contains("W/" + tag));
        // whether the 200 would be compressible is unknown: a 304 may have no type
        Response varied = Vary.on("Accept-Encoding", response);
        return weakened ? withWeakTag(varied) : varied;
    }

    /** {@return the compressed body; null if no permit is free, so that the body is sent as it is} */
    private Body compressed(Body body) {
        var gzip = new GzipPublisher(options.level(), threads, places);
        Body streamed = body.withPublisher(gzip::of);
        if (streamed == body) {
            if (body.length() <= MOST_AT_ONCE) {
                return atOnce(body);
            }
            streamed = Body.of(gzip.of(body));
        }
        return places.tryAcquire() ? streamed.onReleased(gzip::release) : null;
    }

    private Body atOnce(Body body) {
        ByteBuffer whole = ByteBuffer.allocate((int) body.length());
        var made = new ByteArrayOutputStream(whole.capacity() / 2);
        try {
            while (whole.hasRemaining()) {
                body.read(whole.position(), whole);
            }
            try (var gzip = new Gzip(made, options.level())) {
                gzip.write(whole.array());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Body.of(ByteBuffer.wrap(made.toByteArray()));
    }

    /** A GZIPOutputStream with a chosen level. */
    private static final class Gzip extends GZIPOutputStream {

        Gzip(ByteArrayOutputStream made, int level) throws IOException {
            super(made);
            def.setLevel(level);
        }
    }
}
