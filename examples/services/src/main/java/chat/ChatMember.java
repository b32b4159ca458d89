package chat;

import org.microhttp.extras.websocket.WebSocket;
import org.microhttp.extras.websocket.WebSocketListener;

/** One connection: its first message is a name, the others are what is said. On the thread of its loop. */
final class ChatMember implements WebSocketListener {

    /** The largest message. */
    static final int MAX_BYTES = 4096;

    private static final int MAX_NAME = 20;

    /** Close codes of programs begin at 4000 (RFC 6455 §7.4.2); the page shows the reason. */
    private static final int BAD_NAME = 4000;
    private static final int NAME_TAKEN = 4001;
    private static final int FULL = 4002;

    private final ChatRoom room;

    /** Null until it has one. */
    private String name;

    ChatMember(ChatRoom room) {
        this.room = room;
    }

    @Override
    public void onOpen(WebSocket socket) {
        if (!room.open()) {
            socket.close(FULL, "there are too many here");
        }
    }

    @Override
    public void onText(WebSocket socket, String text) {
        String shown = text.strip();
        if (name != null) {
            room.say(name, shown);
        } else if (!shown.matches("\\P{C}{1," + MAX_NAME + "}")) {
            socket.close(BAD_NAME, "a name has 1 to " + MAX_NAME + " characters");
        } else if (room.enter(socket, shown)) {
            name = shown;
        } else {
            socket.close(NAME_TAKEN, "the name is taken");
        }
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
        room.leave(socket, name);
    }
}
