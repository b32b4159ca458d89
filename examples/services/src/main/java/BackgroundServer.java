import java.io.IOException;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Response;

/**
 * Runs the loop on a thread of its own, as a program does that has other work for its main thread, and
 * stops it in order: when {@code close} has returned, every connection is closed and the port is free. A
 * line of standard input stops the server, and so does a shutdown hook on Ctrl-C or SIGTERM. Without a
 * terminal, as under systemd or nohup, there is no line, and a signal alone stops it.
 */
public final class BackgroundServer {

    public static void main(String[] args) {
        Response hello = Response.text(200, "hello world\n");
        Handler handler = Handler.of(request -> hello);
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var loop = new EventLoop(new Options().withPort(port), new NoopLogger(), handler);
            loop.startAsync();
            loop.ended().exceptionally(BackgroundServer::fail);
            Runtime.getRuntime().addShutdownHook(new Thread(loop::close));
            System.out.println("listening on port " + loop.getPort());
            if (awaitLine()) {
                loop.close();
                System.out.println("stopped");
            }
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("BackgroundServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    /** Returns when there is a line; says false when there will be none. The loop's thread goes on then. */
    private static boolean awaitLine() {
        try {
            return System.in.read() >= 0;
        } catch (IOException e) {
            // nohup leaves an input that cannot be read
            return false;
        }
    }

    private static Void fail(Throwable failure) {
        failure.printStackTrace();
        System.exit(1);
        return null;
    }
}
