package chat;

import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketOptions;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.servertool.ServerTool;

/**
 * A chat: a page at {@code /}, and at {@code /socket} the WebSockets of all who have it open. On Ctrl-C or
 * SIGTERM it closes these first, so that pages connect again as soon as it is back. {@code --help} lists the
 * flags.
 */
public final class ChatServer implements Handler {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final ChatRoom room;
    private final WebSocketOptions options;
    private final Response page = Response.of(200, "text/html; charset=utf-8", ChatPage.bytes())
            .withHeader("Cache-Control", "no-cache");

    private ChatServer(ChatRoom room, WebSocketOptions options) {
        this.room = room;
        this.options = options;
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        var sockets = new WebSocketOptions().withMaxMessageSize(ChatMember.MAX_BYTES);
        return new ServerTool("ChatServer", ChatFlags.ALL, line -> handler(line, sockets))
                .withOptions((line, options) -> change(line, options).withOnStopping(sockets::closeAll))
                .withGrace(GRACE)
                .run(out, err, args);
    }

    /** A silent client is pinged, and given up by the package websocket, before the server does it. */
    private static Options change(CommandLine line, Options options) {
        return options.withStreamTimeout(ChatFlags.ping(line).multipliedBy(3).plusSeconds(1));
    }

    private static Handler handler(CommandLine line, WebSocketOptions sockets) {
        return new ChatServer(new ChatRoom(ChatFlags.maxPeople(line)), ChatFlags.change(line, sockets));
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        callback.accept(switch (request.path()) {
            case "/" -> page;
            case "/socket" -> WebSocket.upgrade(request, options, new ChatMember(room));
            default -> Response.text(404, "there are / and /socket\n");
        });
    }
}
