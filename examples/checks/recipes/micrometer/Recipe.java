import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/** Runs the recipe of Micrometer. */
public final class Recipe {

    public static void main(String[] args) throws Exception {
        Options options = new Options().withPort(0).withExchangeListener(exchange -> { });
        Handler handler = Handler.of(request -> Response.text(200, "hello"));
        try (var loop = new EventLoop(options, new NoopLogger(), handler)) {
            var registry = new SimpleMeterRegistry();
            ServerMeters.of(loop).bindTo(registry);
            loop.startAsync().join();
            for (int i = 0; i < 3; i++) {
                Client.post(loop, "");
            }
            Client.expect(3.0, registry.get("microhttp.responses").functionTimer().count());
            Client.expect(1.0, registry.get("microhttp.connections").gauge().value());
            Client.expect(0.0, registry.get("microhttp.refused").functionCounter().count());
            Client.expect(true, registry.get("microhttp.bytes.out").functionCounter().count() > 15);
            System.out.println(registry.getMetersAsString());
        }
    }
}
