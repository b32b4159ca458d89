package consumer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Response;

public class Minimal {
    public static void main(String[] args) throws IOException {
        Response response = new Response(200, "OK", List.of(new Header("Content-Type", "text/plain")),
                "hello world\n".getBytes(StandardCharsets.UTF_8));
        Handler handler = (request, callback) -> callback.accept(response);
        new EventLoop(handler).start();
    }
}
