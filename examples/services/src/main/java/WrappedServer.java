import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Three handlers around another: one lets pages of other origins read the answers, one numbers them, and one
 * answers 304 to a client that has the body already. They work for every kind of body, a file for example.
 */
public final class WrappedServer {

    private static final AtomicLong NUMBERS = new AtomicLong();

    public static void main(String[] args) {
        Handler handler = Handler.of(WrappedServer::answer);
        Handler wrapped = handler.andThen(WrappedServer::tagged)
                .andThen((request, response) -> readable(response))
                .andThen((request, response) -> response.withHeader("X-Request-Id", number()));
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            // so that these pages can also read why the server refuses a request
            Options options = new Options().withPort(port)
                    .withErrorHandler(error -> readable(error.response()));
            var loop = new EventLoop(options, new NoopLogger(), wrapped);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("WrappedServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static Response answer(Request request) {
        if (List.of("GET", "HEAD").contains(request.method())) {
            return Response.text(200, "hello " + request.host() + "\n");
        }
        return Response.text(405, "only GET and HEAD\n").withHeader("Allow", "GET, HEAD");
    }

    private static Response readable(Response response) {
        return response.withHeader("Access-Control-Allow-Origin", "*");
    }

    private static String number() {
        return Long.toString(NUMBERS.incrementAndGet());
    }

    private static Response tagged(Request request, Response response) {
        if (response.status() != 200) return response;
        String tag = '"' + checksum(response.body()) + '"';
        if (!tag.equals(request.header("If-None-Match"))) return response.withHeader("ETag", tag);
        return Response.of(304).withHeader("ETag", tag);
    }

    private static String checksum(Body body) {
        var checksum = new CRC32();
        ByteBuffer part = ByteBuffer.allocate(64 * 1024);
        try {
            for (long at = 0; at < body.length();) {
                at += body.read(at, part.clear());
                checksum.update(part.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Long.toHexString(checksum.getValue());
    }
}
