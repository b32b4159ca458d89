package org.microhttp.extras.events;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as texts: whatever they have, a client reads that and no more. */
final class EventTextTest {

    /** What a client reads, by the HTML standard, section 9.2.6: the type, the id and the data. */
    private static List<String> read(String stream) {
        var events = new ArrayList<String>();
        var data = new StringBuilder();
        String type = "message";
        String id = "";
        for (String line : stream.split("\r\n|\r|\n", -1)) {
            int colon = line.indexOf(':');
            String name = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1).replaceFirst("^ ", "");
            if (line.isEmpty() && !data.isEmpty()) {
                events.add(type + "|" + id + "|" + data.substring(0, data.length() - 1));
                data.setLength(0);
                type = "message";
            }
            switch (name) {
                case "data" -> data.append(value).append('\n');
                case "event" -> type = value;
                case "id" -> id = value.contains("\0") ? id : value;
                default -> {
                    assertTrue(line.isEmpty() || colon == 0 || name.equals("retry"), line);
                }
            }
        }
        return events;
    }

    private static String sent(ServerEvent event) {
        return StandardCharsets.UTF_8.decode(EventText.of(event, "7")).toString();
    }

    @Test
    void hasALineForEachField() {
        assertEquals("id: 7\ndata: a\n\n", sent(ServerEvent.of("a")));
        assertEquals("id: 7\nevent: t\nretry: 1500\ndata:  a\ndata: \n\n",
                sent(ServerEvent.of(" a\n").withType("t").withRetry(Duration.ofMillis(1500))));
        assertEquals("id: 7\ndata: \n\n", sent(ServerEvent.of("")));
    }

    @Test
    void aTextIsNoField() {
        assertEquals("id: 7\ndata: a\ndata: id: 8\ndata: event: x\ndata: \ndata: data: b\0\n\n",
                sent(ServerEvent.of("a\rid: 8\r\nevent: x\n\rdata: b\0")));
    }

    /** Drawn from what has a meaning in a stream. */
    @Test
    void clientReadsTheSentEvents() {
        String[] parts = {"\r", "\n", "\r\n", "\0", ":", " ", "id", "data", "event", "retry", "\u00e9",
            "\u2028", "\u0085", "\ufeff", "\ud83d\ude00", "x"};
        var random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder();
            for (int j = random.nextInt(9); j > 0; j--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            String type = ("" + text).replaceAll("[\r\n\0]", "");
            ServerEvent event = ServerEvent.of("" + text).withType(type.isEmpty() ? null : type);
            String expected = (type.isEmpty() ? "message" : type) + "|7|"
                    + ("" + text).replaceAll("\r\n|\r", "\n");
            assertEquals(List.of(expected, "message|7|next"),
                    read(sent(event) + sent(ServerEvent.of("next"))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\nb", "a\rb", "a\0b", "\n"})
    void idsAndTypesHaveNoLineEnds(String text) {
        ServerEvent event = ServerEvent.of("a");
        assertThrows(IllegalArgumentException.class, () -> event.withType(text));
        assertThrows(IllegalArgumentException.class, () -> event.withId(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {" a", "a b", "\u00e9", "\t", "\u007f", "a\u2028id: 9", "a\u0085b", "\ud800"})
    void idsComeBackInAField(String text) {
        assertThrows(IllegalArgumentException.class, () -> ServerEvent.of("a").withId(text));
    }

    @Test
    void timesHaveLimits() {
        ServerEvent event = ServerEvent.of("a");
        assertThrows(IllegalArgumentException.class, () -> event.withRetry(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> event.withRetry(Duration.ofSeconds(86_401)));
        assertThrows(IllegalArgumentException.class,
                () -> new EventStream(EventLimits.DEFAULT, Duration.ZERO));
    }

    @Test
    void limitsFitTogether() {
        assertThrows(IllegalArgumentException.class, () -> new EventLimits(-1, 0, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new EventLimits(0, 0, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new EventLimits(3, 9, 2, 9, 1));
        assertThrows(IllegalArgumentException.class, () -> new EventLimits(3, 9, 3, 8, 1));
        assertThrows(IllegalArgumentException.class, () -> new EventLimits(0, 0, 1, 1, 0));
        assertEquals(1, new EventLimits(0, 0, 1, 1, 1).queuedBytes());
    }
}
