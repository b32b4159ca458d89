package chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketGroup;
import org.microhttp.extras.websocket.WebSocketMessage;
import org.microhttp.tools.reporting.Json;

/**
 * Who is there, and what is said. Safe for all threads: members are on several loops, and its lock gives all
 * of them what is said in one order.
 */
final class ChatRoom {

    /** Those with a name, who are sent what is said. */
    private final WebSocketGroup named = new WebSocketGroup();
    private final TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    private final int limit;
    private int connections;

    /** @param limit how many connections there may be at a time */
    ChatRoom(int limit) {
        this.limit = limit;
    }

    /** Counts a connection; false if it is one too many, and is to be closed. */
    synchronized boolean open() {
        connections++;
        return connections <= limit;
    }

    /** {@return false if the name is taken} */
    synchronized boolean enter(WebSocket socket, String name) {
        boolean free = names.add(name);
        if (free) {
            named.add(socket);
            sendNames();
        }
        return free;
    }

    synchronized void say(String name, String text) {
        send(Map.of("name", name, "text", text));
    }

    /** @param name null if the connection has none yet */
    synchronized void leave(WebSocket socket, String name) {
        connections--;
        if (name != null) {
            named.remove(socket);
            names.remove(name);
            sendNames();
        }
    }

    private void sendNames() {
        List<String> here = new ArrayList<>(names);
        send(Map.of("here", here));
    }

    private void send(Map<String, ?> members) {
        named.send(WebSocketMessage.text(Json.text(new TreeMap<>(members))));
    }
}
