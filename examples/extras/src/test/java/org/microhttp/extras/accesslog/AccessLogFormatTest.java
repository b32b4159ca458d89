package org.microhttp.extras.accesslog;

import static org.junit.jupiter.api.Assertions.*;

import java.net.SocketAddress;
import java.time.*;
import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.ExchangeSummary;
import org.microhttp.Header;
import org.microhttp.testing.JsonReader;
import org.microhttp.testing.Tier;

/** A line of the access log, of whatever values. */
@Tier.Gate
final class AccessLogFormatTest {

    private static final Instant TIME = Instant.parse("2000-10-10T13:55:36.001002Z");

    /** GoAccess reads no more of a line. */
    private static final int LONGEST = 4095;

    /** An ordinary exchange, with these keys and values in the place of its own; null leaves one out. */
    private static String line(AccessFormat format, String... changes) {
        return line(TIME, format, changes);
    }

    private static String line(Instant time, AccessFormat format, String... changes) {
        Map<String, String> values = new HashMap<>();
        String[] all = Stream.concat(Stream.of("id", "7",
                "peer", "/192.0.2.1:50000", "method", "GET", "target", "/a?b", "version", "HTTP/1.1",
                "status", "200", "bytes", "2326", "nanos", "1500000", "complete", "true",
                "fields", "Host: x\r\nREFERER:  http://x/ \t\r\nUser-Agent: one\r\nuser-agent: two\r\n"),
                Stream.of(changes)).toArray(String[]::new);
        for (int i = 0; i < all.length; i += 2) values.put(all[i], all[i + 1]);
        AccessRecord of = AccessRecord.of(time, exchange(values), true);
        String line = format.line(of, Trust.nobody());
        assertTrue(line.matches("[ -~]+\n"), line);
        assertTrue(line.length() <= LONGEST, () -> "" + line.length());
        return line.strip();
    }

    /** A name of whatever text. */
    private static final class Named extends SocketAddress {

        private static final long serialVersionUID = 1;
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static ExchangeSummary exchange(Map<String, String> of) {
        String peer = of.get("peer");
        return new ExchangeSummary(Long.parseLong(of.get("id")), peer == null ? null : new Named(peer),
                of.get("method"), of.get("target"), of.get("version"), headers(of.get("fields")),
                Integer.parseInt(of.get("status")), Long.parseLong(of.get("bytes")),
                Duration.ofNanos(Long.parseLong(of.get("nanos"))), Boolean.parseBoolean(of.get("complete")),
                of.get("code"));
    }

    private static List<Header> headers(String lines) {
        List<Header> headers = new ArrayList<>();
        for (String line : lines.split("\r\n")) {
            String[] parts = line.split(":", 2);
            if (parts.length == 2) headers.add(new Header(parts[0], parts[1].strip()));
        }
        return headers;
    }

    private static Map<?, ?> object(String... changes) {
        return (Map<?, ?>) JsonReader.read(line(AccessFormat.JSON, changes));
    }

    @Test
    void commonLineHasItsFields() {
        assertEquals("192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /a?b HTTP/1.1\" 200 2326",
                line(AccessFormat.COMMON));
    }

    @Test
    void combinedLineAddsRefererAndUserAgent() {
        assertEquals("192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \"GET /a?b HTTP/1.1\" 200 2326"
                + " \"http://x/\" \"one\"", line(AccessFormat.COMBINED));
    }

    @Test
    void jsonLineIsAnObject() {
        assertEquals("{\"time\":\"2000-10-10T13:55:36.001002Z\",\"id\":7,\"peer\":\"192.0.2.1:50000\","
                + "\"client\":\"192.0.2.1\",\"request\":\"GET /a?b HTTP/1.1\",\"method\":\"GET\","
                + "\"target\":\"/a?b\",\"version\":\"HTTP/1.1\",\"status\":200,\"bytes\":2326,"
                + "\"duration\":0.001500,\"referer\":\"http://x/\",\"agent\":\"one\"}",
                line(AccessFormat.JSON));
    }

    /** A request line that was refused, no fields, no answer. */
    @Test
    void unknownValuesAreDashesOrAbsent() {
        String[] refused = {"method", null, "target", null, "version", null, "fields", "", "status", "400"};
        assertEquals("192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \"-\" 400 2326 \"-\" \"-\"",
                line(AccessFormat.COMBINED, refused));
        Map<?, ?> object = object(refused);
        assertEquals("-", object.get("request"));
        for (String absent : List.of("method", "target", "version", "referer", "agent", "code")) {
            assertFalse(object.containsKey(absent), absent);
        }
        String[] reset = {"status", "0", "bytes", "0", "complete", "false"};
        assertTrue(line(AccessFormat.COMMON, reset).endsWith("\"GET /a?b HTTP/1.1\" 499 0"));
        for (String absent : List.of("status", "code")) {
            assertFalse(object(reset).containsKey(absent), absent);
        }
        String empty = line(AccessFormat.COMBINED, "fields", "Referer:\r\nUser-Agent: \r\n");
        assertTrue(empty.endsWith(" \"-\" \"-\""), empty);
        assertTrue(line(AccessFormat.COMMON, "peer", null).startsWith("- - - "));
    }

    @Test
    void aRefusalIsLoggedWithItsCode() {
        assertEquals("bare_lf", object("code", "bare_lf").get("code"));
        assertEquals("incomplete", object("complete", "false").get("code"));
    }

    @Test
    void addressesAsTheyAreUsuallyWritten() {
        Map<String, String> clients = Map.of(
                "localhost/127.0.0.1:50000", "127.0.0.1",
                "/[0:0:0:0:0:0:0:1]:50000", "::1",
                "/[0:0:0:0:0:0:0:0]:50000", "::",
                "/[2001:db8:0:0:1:0:0:0]:50000", "2001:db8:0:0:1::",
                "/[2001:db8:0:1:0:1:0:1]:50000", "2001:db8:0:1:0:1:0:1",
                "/[0:0:0:0:0:ffff:c000:201]:50000", "192.0.2.1",
                "/[fe80:0:0:0:0:0:0:1%eth0]:50000", "fe80::1",
                "a.name:50000", "-");
        clients.forEach((peer, client) -> {
            assertTrue(line(AccessFormat.COMMON, "peer", peer).startsWith(client + " - "), peer);
            assertEquals(client, object("peer", peer).get("client"));
        });
    }

    @Test
    void monthsAreEnglishAndTimesAreUtcInEachLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            List<String> months = List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep",
                    "Oct", "Nov", "Dec");
            for (int i = 0; i < 12; i++) {
                Instant time = LocalDate.of(2024, i + 1, 1).atStartOfDay(ZoneOffset.UTC).toInstant();
                String expected = "[01/" + months.get(i) + "/2024:00:00:00 +0000]";
                assertTrue(line(time, AccessFormat.COMMON).contains(expected), expected);
            }
            assertTrue(line(AccessFormat.JSON).contains("\"duration\":0.001500,"));
            assertTrue(line(AccessFormat.JSON).contains("\"2000-10-10T13:55:36.001002Z\""));
        } finally {
            Locale.setDefault(before);
        }
    }

    /** In each place that a client fills stand all bytes: none of them ends a value, or the line. */
    @ParameterizedTest
    @EnumSource
    void clientTextStaysInItsField(AccessFormat format) {
        for (char each = 0; each < 256; each++) {
            String hostile = "a" + each + "b" + each;
            String line = line(format, "method", hostile, "target", hostile, "version", hostile,
                    "code", hostile, "fields", each < ' ' || each == 0x7F ? "Referer: -\r\n"
                            : "Referer: " + hostile + "c\r\nUser-Agent: " + hostile + "c\r\n");
            boolean plain = each >= ' ' && each < 0x7F && each != '"' && each != '\\';
            String shown = plain ? hostile : hostile.replace("" + each, "\\x%02x".formatted((int) each));
            if (format == AccessFormat.JSON) {
                Map<?, ?> object = (Map<?, ?>) JsonReader.read(line);
                assertEquals(hostile, object.get("target"));
                assertEquals(hostile, object.get("code"));
                assertEquals(hostile + " " + hostile + " " + hostile, object.get("request"));
                if (line.contains("agent")) assertEquals(hostile + "c", object.get("agent"));
            } else {
                assertTrue(line.contains("\"" + shown + " " + shown + " " + shown + "\" 200 "), line);
                int quotes = format == AccessFormat.COMMON ? 2 : 6;
                assertEquals(quotes, line.chars().filter(c -> c == '"').count());
            }
        }
    }

    @Test
    void aTargetThatLooksLikeTheRestOfALineIsQuoted() {
        String forged = "/\"200 1\r\n192.0.2.9 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 1";
        assertEquals("192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] \"GET "
                + forged.replace("\"", "\\x22").replace("\r\n", "\\x0d\\x0a") + " HTTP/1.1\" 200 2326",
                line(AccessFormat.COMMON, "target", forged));
        assertEquals(forged, object("target", forged).get("target"));
    }

    /** Whatever is sent a line is as short as GoAccess reads it. */
    @ParameterizedTest
    @EnumSource
    void longLinesAreCut(AccessFormat format) {
        for (String each : List.of("a", "\"", "\u00FF")) {
            String large = each.repeat(32_768);
            String line = line(format, "method", large, "target", "/" + large, "version", large,
                    "code", large, "peer", "/" + large, "status", "" + Integer.MAX_VALUE,
                    "id", "" + Long.MAX_VALUE, "bytes", "" + Long.MAX_VALUE, "nanos", "" + Long.MAX_VALUE,
                    "fields", "Referer: " + large + "\r\nUser-Agent: " + large + "\r\n");
            assertTrue(line.contains("... "), line);
        }
        String whole = "/" + "a".repeat(994);
        assertTrue(line(format, "target", whole).contains(whole + " "));
    }
}
