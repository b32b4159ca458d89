package org.microhttp.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.microhttp.Body;
import org.microhttp.EventLoop;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * What it costs the library to send a large body, by what the body is: an array, a direct buffer, a region of
 * a file. Each request is answered with the whole file. Runs until it is killed.
 */
public final class BodyServer {

    private BodyServer() { }

    public static void main(String[] args) throws IOException {
        boolean valid = args.length == 3 && args[0].matches("[0-9]{1,5}")
                && List.of("array", "direct", "file").contains(args[1]);
        if (!valid || Integer.parseInt(args[0]) > 65_535) {
            System.err.println("usage: BodyServer PORT array|direct|file FILE");
            System.exit(2);
        }
        Options options = new Options().withHost("127.0.0.1").withPort(Integer.parseInt(args[0]))
                .withAcceptLength(16_384);
        Response response = response(args[1], Path.of(args[2]));
        EventLoop loop = new EventLoop(options, new NoopLogger(),
                (request, callback) -> callback.accept(response));
        System.out.println("listening on 127.0.0.1:" + loop.getPort());
        loop.start();
    }

    private static Response response(String kind, Path file) throws IOException {
        List<Header> fields = List.of(new Header("Content-Type", "application/octet-stream"));
        byte[] bytes = Files.readAllBytes(file);
        return switch (kind) {
            case "array" -> new Response(200, "OK", fields, bytes);
            case "direct" -> {
                ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
                yield new Response(200, "OK", fields, Body.of(buffer));
            }
            default -> new Response(200, "OK", fields, Body.of(FileChannel.open(file), 0, bytes.length));
        };
    }
}
