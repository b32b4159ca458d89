import org.microhttp.*;

public class Minimal {
    public static void main(String[] args) throws Exception {
        var type = new Header("Content-Type", "text/plain");
        var hello = new Response(200, "OK", java.util.List.of(type), "hello world\n".getBytes());
        new EventLoop((request, callback) -> callback.accept(hello)).start();
    }
}
