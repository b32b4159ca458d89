package chat;

import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.*;

/** The example {@code ChatServer}: several clients of the JDK in one room. */
@Tier.Program
final class ChatServerTest {

    private static final String HANDSHAKE = FrameClient.HANDSHAKE.replace("/chat", "/socket");

    @RegisterExtension
    final ToolProcesses servers = new ToolProcesses("chat.ChatServer");

    private ServerProcess server;

    private JdkSocket connect() throws Exception {
        return JdkSocket.connect(URI.create("ws://127.0.0.1:" + server.port + "/socket"));
    }

    private JdkSocket enter(String name) throws Exception {
        JdkSocket client = connect();
        say(client, name);
        return client;
    }

    private static void say(JdkSocket client, String text) throws Exception {
        client.await(client.socket.sendText(text, true));
    }

    @Test
    void everybodyGetsNamesAndMessages() throws Exception {
        server = servers.serve("--threads", "2");
        JdkSocket ada = enter("Ada").expect("text {\"here\":[\"Ada\"]}");
        JdkSocket bob = enter(" Bob ").expect("text {\"here\":[\"Ada\",\"Bob\"]}");
        ada.expect("text {\"here\":[\"Ada\",\"Bob\"]}");
        say(bob, "grüße");
        for (JdkSocket each : new JdkSocket[] {ada, bob}) {
            each.expect("text {\"name\":\"Bob\",\"text\":\"gr\\u00fc\\u00dfe\"}");
        }
        ada.await(ada.socket.sendClose(1000, ""));
        ada.expect("close 1000 ");
        bob.expect("text {\"here\":[\"Bob\"]}");
        bob.socket.abort();
    }

    @Test
    void duplicateAndInvalidNamesAreClosed() throws Exception {
        server = servers.serve();
        enter("Ada").expect("text {\"here\":[\"Ada\"]}");
        enter("ada").expect("close 4001 the name is taken");
        for (String name : new String[] {" ", "x".repeat(21), "a\u0000b", "\u202eadA"}) {
            enter(name).expect("close 4000 a name has 1 to 20 characters");
        }
    }

    @Test
    void maxPeopleIsALimit() throws Exception {
        server = servers.serve("--max-people", "1");
        JdkSocket only = connect();
        connect().expect("close 4002 there are too many here");
        only.await(only.socket.sendClose(1000, ""));
        only.expect("close 1000 ");
        enter("Ada").expect("text {\"here\":[\"Ada\"]}");
    }

    @Test
    void originsOfTheFlagAreAccepted() throws Exception {
        server = servers.serve("--origin", "https://a.example", "-o", "https://b.example:8443");
        Map<String, Integer> answers = Map.of("https://a.example", 101, "https://b.example:8443", 101,
                "http://x", 403);
        for (String origin : answers.keySet()) {
            try (var client = servers.connect()) {
                client.send(HANDSHAKE + "Origin: " + origin + "\r\n\r\n");
                String head = client.readUntil("\r\n\r\n");
                assertTrue(head.startsWith("HTTP/1.1 " + answers.get(origin)), head);
            }
        }
    }

    @Test
    void clientThatIgnoresPingsIsClosed() throws Exception {
        server = servers.serve("--ping", "300ms");
        try (var client = servers.connect()) {
            client.send(HANDSHAKE + "\r\n").readUntil("\r\n\r\n");
            assertTrue(client.readUntilItFails().startsWith("\u0089\0"));
        }
    }

    @Test
    void closesAllBeforeItEnds() throws Exception {
        server = servers.serve("--threads", "1");
        assumeTrue(server.process.supportsNormalTermination(), "no SIGTERM");
        JdkSocket guest = connect();
        JdkSocket ada = enter("Ada").expect("text {\"here\":[\"Ada\"]}");
        server.terminate();
        ada.expect("close 1001 the server ends");
        guest.expect("close 1001 the server ends");
        assertEquals("", server.errors());
    }

    @Test
    void hasAPage() throws Exception {
        server = servers.serve();
        try (RawClient client = servers.connect()) {
            RawResponse page = client.get("/").response();
            assertEquals("text/html; charset=utf-8", page.header("Content-Type"));
            assertTrue(page.text().contains("new WebSocket("));
            assertEquals(426, client.get("/socket").response().status());
            assertEquals(404, client.get("/other").response().status());
        }
    }
}
