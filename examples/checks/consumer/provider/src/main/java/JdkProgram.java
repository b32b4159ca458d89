import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

/** Knows the JDK's server alone, and answers with the name of the class that serves. */
public class JdkProgram {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
        server.createContext("/", exchange -> {
            byte[] name = server.getClass().getName().getBytes();
            exchange.sendResponseHeaders(200, name.length);
            exchange.getResponseBody().write(name);
            exchange.close();
        });
        server.start();
        System.out.println("listening on port " + server.getAddress().getPort());
    }
}
