import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;

/** Runs the recipe of Jackson. */
public final class Recipe {

    public static void main(String[] args) throws Exception {
        Handler handler = Handler.of(Orders::total);
        try (var loop = new EventLoop(new Options().withPort(0), new NoopLogger(), handler)) {
            loop.startAsync().join();
            Client.expect("200 {\"item\":\"tea\",\"cents\":500}",
                    Client.post(loop, "{\"item\":\"tea\",\"count\":2}"));
            for (String wrong : new String[] {"", "null", "[]", "{", "{\"item\":\"tea\"}", "{} {}",
                "{\"item\":\"tea\",\"count\":\"x\"}", "{\"item\":\"tea\",\"count\":null}",
                "{\"item\":null,\"count\":1}", "{\"item\":\"tea\",\"count\":2,\"price\":1}",
                "{\"item\":\"tea\",\"count\":2} x", "{\"item\":\"tea\",\"count\":3000000000}",
                "[".repeat(100_000)}) {
                String answer = Client.post(loop, wrong);
                Client.expect(true, answer.startsWith("400 no order: "));
                System.out.println(answer);
            }
            // bytes that are text in no encoding, or JSON in another, are no failure of the server either
            var random = new SplittableRandom(1);
            for (int i = 0; i < 100_000; i++) {
                byte[] bytes = new byte[random.nextInt(12)];
                random.nextBytes(bytes);
                var request = new Request("POST", "/", "HTTP/1.1", List.of(), bytes);
                if (Orders.total(request).status() != 400) {
                    throw new AssertionError(Arrays.toString(bytes));
                }
            }
        }
    }
}
