package consumer;

import org.microhttp.*;

public class Minimal {
    public static void main(String[] args) throws Exception {
        new EventLoop(Handler.of(request -> Response.text(200, "hello world\n"))).start();
    }
}
