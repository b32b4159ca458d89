package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.*;
import static org.microhttp.testing.ProxyHeaders.*;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import org.microhttp.Inside;
import org.microhttp.testing.ProxyHeaders;
import org.microhttp.testing.RawClient;

/** R24: the PROXY protocol, versions 1 and 2: what is taken, what not, who the client is by it. */
class ProxyHeaderTest {

    private static final String BAD = "400 bad_proxy_header";
    private static final String V6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";

    /** Of each kind one that is taken. */
    static Stream<byte[]> headers() {
        return Stream.of(bytes(LINE), bytes("PROXY TCP6 2001:db8::1 :: 40001 80\r\n"),
                bytes("PROXY UNKNOWN\r\n"), bytes("PROXY UNKNOWN " + V6 + " " + V6 + " 65535 65535\r\n"),
                binary(), binary(PROXY, 0x21, ipv6(40_001)), binary(PROXY, 0x31, new byte[216]),
                binary(LOCAL, 0), binary(value(4), value(0x20, value(0x21, (byte) 1)), value(2, bytes("x"))),
                withChecksumAt(31, binary(value(CHECKSUM, new byte[4]), value(4, new byte[3]))));
    }

    private static ProxyHeaderRun whole(byte[] bytes) {
        return ProxyHeaderRun.of(bytes, Math.max(1, bytes.length));
    }

    /** Taken with a request behind it, by which the client is told; said by a host and a port. */
    private static void assertTold(String host, int port, byte[] header) {
        ProxyHeaderRun run = whole(join(header, bytes(RawClient.GET)));
        assertNull(run.refusal);
        assertEquals(1, run.requests.size());
        assertEquals(new InetSocketAddress(host, port), run.requests.get(0).remoteAddress());
    }

    /** Taken, and says nothing of a client. */
    private static void assertNotTold(byte[] header) {
        assertTold("127.0.0.1", 9, header);
    }

    private static void assertRefused(byte[] header) {
        ProxyHeaderRun run = whole(join(header, bytes(RawClient.GET)));
        assertEquals(BAD, run.refusal, () -> new String(header));
        assertFalse(run.isTaken());
    }

    @ParameterizedTest
    @MethodSource("headers")
    void isTheSameHoweverItIsCut(byte[] header) {
        byte[] bytes = join(header, bytes(RawClient.GET + RawClient.GET + "GET /part"));
        ProxyHeaderRun expected = whole(bytes);
        assertEquals(2, expected.requests.size());
        for (int size = 1; size < bytes.length; size++) {
            ProxyHeaderRun run = ProxyHeaderRun.of(bytes, size);
            assertTrue(run.isLike(expected) && run.parser.isInsideRequest(), "in pieces of " + size);
        }
    }

    /** While it is not whole it is neither taken nor refused, and what is here of it is counted. */
    @ParameterizedTest
    @MethodSource("headers")
    void isAwaitedWhereItIsCut(byte[] header) {
        for (int length = 1; length < header.length; length++) {
            ProxyHeaderRun run = whole(java.util.Arrays.copyOf(header, length));
            assertNull(run.refusal, length + " octets");
            assertTrue(run.parser.awaitsProxyHeader() && run.parser.isInsideRequest(), length + " octets");
            assertTrue(Inside.used(run.budget) >= length, length + " octets");
        }
        ProxyHeaderRun run = whole(header);
        assertTrue(run.isTaken() && !run.parser.isInsideRequest(), "nothing of a request is here");
        assertEquals(0, Inside.used(run.budget));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void isNoneAtASecondPlace(byte[] header) {
        ProxyHeaderRun run = whole(join(header, bytes(LINE)));
        assertTrue(run.isTaken());
        assertTrue(run.refusal.startsWith("400 ") && !run.refusal.equals(BAD), run.refusal);
        run = whole(join(header, bytes(RawClient.GET), binary()));
        assertEquals(1, run.requests.size());
        assertTrue(run.refusal.startsWith("400 ") && !run.refusal.equals(BAD), run.refusal);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            PROXY TCP4 192.0.2.1 198.51.100.2 40001 80 | 192.0.2.1 | 40001
            PROXY TCP4 0.0.0.0 255.255.255.255 0 0 | 0.0.0.0 | 0
            PROXY TCP4 255.249.199.99 9.10.100.200 65535 65535 | 255.249.199.99 | 65535
            PROXY TCP4 1.2.3.4 1.2.3.4 9 99 | 1.2.3.4 | 9
            PROXY TCP6 2001:db8::1 2001:DB8::2 1 2 | 2001:db8::1 | 1
            PROXY TCP6 :: ::1 1 2 | :: | 1
            PROXY TCP6 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: 59999 60000 | 1:2:3:4:5:6:7:8 | 59999
            PROXY TCP6 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1 2 | 1:2:3:4:5:6:7:0 | 1
            PROXY TCP6 ::2:3:4:5:6:7:8 ::1 1 2 | 0:2:3:4:5:6:7:8 | 1
            PROXY TCP6 ::ffff:192.0.2.1 ::ffff:7f00:1 1 2 | 192.0.2.1 | 1
            PROXY TCP6 ::ffff:c000:201 ::1 1 2 | 192.0.2.1 | 1
            """)
    void takesALine(String line, String host, int port) {
        assertTold(host, port, bytes(line + "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN \r\n", "PROXY UNKNOWN TCP4 a b c\r\n",
        "PROXY UNKNOWN 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY UNKNOWN \u00E4\u0085\u00FF \t\r\n"})
    void takesALineOfAnUnknownClient(String line) {
        assertNotTold(bytes(line));
    }

    @Test
    void takesALineOf107Octets() {
        String longest = "PROXY UNKNOWN " + V6 + " " + V6 + " 65535 65535\r\n";
        assertEquals(107, longest.length());
        assertNotTold(bytes(longest));
        assertRefused(bytes(longest.replace("N f", "N  f")));
    }

    /** Before its end is here, and before more of it is kept. */
    @Test
    void refusesALongerLineAtOnce() {
        ProxyHeaderRun run = ProxyHeaderRun.of(bytes("PROXY UNKNOWN " + "x".repeat(1_000)), 1);
        assertEquals(BAD, run.refusal);
        assertEquals(107, run.parser.available(), "octets that were looked at");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "PROXY", "PROXY ", "PROXY TCP4", "proxy TCP4 1.2.3.4 1.2.3.4 1 2",
        "PROXY tcp4 1.2.3.4 1.2.3.4 1 2", "PROXY unknown", "PROXY UNKNOWNS", "PROXY\tUNKNOWN",
        " PROXY UNKNOWN",
        "PROXY UDP4 1.2.3.4 1.2.3.4 1 2", "PROXY TCP5 1.2.3.4 1.2.3.4 1 2", "PROXY TCP4 1.2.3.4 1.2.3.4 1",
        "PROXY  TCP4 1.2.3.4 1.2.3.4 1 2", "PROXY TCP4  1.2.3.4 1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4  1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4  1 2", "PROXY TCP4 1.2.3.4 1.2.3.4 1  2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 ",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3", "PROXY TCP4 1.2.3.4\t1.2.3.4 1 2", "PROXY TCP4 ::1 ::1 1 2",
        "PROXY TCP6 1.2.3.4 1.2.3.4 1 2", "PROXY TCP4 1.2.3.4 ::1 1 2", "PROXY TCP6 ::1 1.2.3.4 1 2",
        "PROXY TCP4 01.2.3.4 1.2.3.4 1 2", "PROXY TCP4 1.2.3.04 1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4 1.2.3.00 1 2",
        "PROXY TCP4 256.2.3.4 1.2.3.4 1 2", "PROXY TCP4 1.2.3 1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4.5 1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4 localhost 1 2", "PROXY TCP4 localhost 1.2.3.4 1 2",
        "PROXY TCP4 0x1.2.3.4 1.2.3.4 1 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 65536 2", "PROXY TCP4 1.2.3.4 1.2.3.4 1 65536",
        "PROXY TCP4 1.2.3.4 1.2.3.4 -1 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 01 2", "PROXY TCP4 1.2.3.4 1.2.3.4 1 02",
        "PROXY TCP4 1.2.3.4 1.2.3.4 00 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 +1 2", "PROXY TCP4 1.2.3.4 1.2.3.4 99999 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 100000 2",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 ", "PROXY TCP4 1.2.3.4 1.2.3.4  2", "PROXY TCP6 fe80::1%eth0 ::1 1 2",
        "PROXY TCP6 fe80::1%1 ::1 1 2", "PROXY TCP6 [::1] ::1 1 2", "PROXY TCP6 1::2::3 ::1 1 2",
        "PROXY TCP6 1:2:3:4:5:6:7 ::1 1 2", "PROXY TCP6 1:2:3:4:5:6:7:8:9 ::1 1 2",
        "PROXY TCP6 12345:: ::1 1 2",
        "PROXY TCP6 1:2:3:4:5:6:7:8:: ::1 1 2", "PROXY TCP6 ::1:2:3:4:5:6:7:8 ::1 1 2",
        "PROXY TCP6 : ::1 1 2",
        "PROXY TCP6 ::g ::1 1 2", "PROXY TCP6 ::1.2.3.256 ::1 1 2", "PROXY TCP6 ::1.2.3.4:1 ::1 1 2",
        "PROXY TCP4 \u0661.2.3.4 1.2.3.4 1 2", "GET / HTTP/1.1", "HEAD / HTTP/1.0", "\u0016\u0003\u0001"})
    void refusesAnotherLine(String line) {
        byte[] bytes = join(bytes(line + "\r\n"), bytes(RawClient.GET));
        ProxyHeaderRun run = whole(bytes);
        assertTrue(run.refusal.startsWith("400 ") && !run.isTaken(), run.refusal);
        assertEquals(ProxyHeaderRun.PROXY, run.client());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\r\n", "\n\r", "\0\r\n"})
    void refusesALineThatEndsOtherwise(String end) {
        ProxyHeaderRun run = whole(bytes("PROXY UNKNOWN" + end + RawClient.GET));
        assertTrue(run.refusal.startsWith("400 ") && !run.isTaken(), run.refusal);
    }

    @Test
    void takesEachFamilyOfVersion2() {
        for (int family : new int[] {0x11, 0x12}) {
            assertTold("192.0.2.1", 40_001, binary(PROXY, family, ipv4()));
        }
        for (int family : new int[] {0x21, 0x22}) {
            assertTold("2001:db8::1", 65_535, binary(PROXY, family, ipv6(65_535)));
            assertTold("2001:db8::1", 0, binary(PROXY, family, ipv6(0)));
        }
        for (int family : new int[] {0x31, 0x32}) {
            assertNotTold(binary(PROXY, family, new byte[216]));
        }
    }

    @Test
    void refusesEveryOtherFamily() {
        for (int family = 1; family < 256; family++) {
            if (!List.of(0x11, 0x12, 0x21, 0x22, 0x31, 0x32).contains(family)) {
                assertRefused(binary(PROXY, family, new byte[216]));
                assertRefused(binary(PROXY, family));
            }
        }
    }

    /** Of these nothing is looked at but how long they are. */
    @Test
    void takesWhatIsOfNoClient() {
        for (int length : new int[] {0, 1, 2, 3, 12, 36, 216, 65_535}) {
            assertNotTold(binary(PROXY, 0, new byte[length]));
            for (int family : new int[] {0, 0x11, 0x21, 0x31, 0xFF}) {
                assertNotTold(binary(LOCAL, family, new byte[length]));
            }
        }
    }

    @Test
    void refusesEveryOtherVersionAndCommand() {
        for (int command = 0; command < 256; command++) {
            if (command != LOCAL && command != PROXY) {
                assertRefused(binary(command, 0x11, ipv4()));
                assertRefused(binary(command, 0));
            }
        }
    }

    @Test
    void refusesAnotherSignature() {
        for (int i = 1; i < ProxyHeaders.SIGNATURE.length(); i++) {
            byte[] header = binary();
            header[i] ^= 0x20;
            assertRefused(header);
        }
    }

    @Test
    void refusesAddressesThatAreCut() {
        for (int family : new int[] {0x11, 0x12, 0x21, 0x22, 0x31, 0x32}) {
            int whole = new int[] {0, 12, 36, 216}[family >> 4];
            for (int length = 0; length < whole; length++) {
                assertRefused(binary(PROXY, family, new byte[length]));
            }
            assertTrue(whole(binary(PROXY, family, new byte[whole])).isTaken());
        }
    }

    @Test
    void takesEveryTypeOfValue() {
        for (int type = 0; type < 256; type++) {
            if (type != CHECKSUM) {
                assertTold("192.0.2.1", 40_001, binary(value(type), value(type, bytes("abc")), value(type)));
            }
        }
    }

    @Test
    void takesTheLongestValue() {
        assertTold("192.0.2.1", 40_001, binary(value(4, new byte[65_535 - 12 - 3])));
        assertTold("2001:db8::1", 1, binary(PROXY, 0x21, ipv6(1), value(4, new byte[65_535 - 36 - 3])));
    }

    /** As where the header ends in the middle of a type and a length, or of a value. */
    @Test
    void refusesValuesThatDoNotFillTheHeader() {
        for (int family : new int[] {0x11, 0x21, 0x31}) {
            byte[] ends = new byte[new int[] {0, 12, 36, 216}[family >> 4]];
            for (String rest : List.of("\4", "\4\0", "\4\0\1", "\4\0\2a", "\4\1\0a", "\4\377\377a",
                    "\4\0\0\4",
                    "\4\0\0\4\0", "\4\0\1a\4\0\1")) {
                assertRefused(binary(PROXY, family, ends, bytes(rest)));
            }
        }
    }

    /** A value that is itself made of values is a value, whatever is in it. */
    @Test
    void doesNotLookIntoNestedValues() {
        for (String nested : List.of("\1\0\0\0\0\41\377\377", "\1\0\0\0\0\3\0\4abcd", "\1")) {
            assertTold("192.0.2.1", 40_001, binary(value(0x20, bytes(nested))));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 50})
    void checksTheChecksumWhereverItIs(int before) {
        byte[] header = binary(value(4, new byte[before]), value(CHECKSUM, bytes("abcd")), value(2,
                bytes("h")));
        int index = 28 + 3 + before + 3;
        assertRefused(header);
        byte[] right = withChecksumAt(index, header);
        assertTold("192.0.2.1", 40_001, right);
        for (int i = 16; i < right.length; i++) {
            byte[] wrong = right.clone();
            wrong[i] ^= 1;
            // with another type it is no checksum
            assertEquals(i == index - 3, whole(wrong).isTaken(), "octet " + i + " is wrong");
        }
    }

    @Test
    void checksTheChecksumOfAnotherFamily() {
        assertTold("2001:db8::1", 7, withChecksumAt(55, binary(PROXY, 0x21, ipv6(7), value(3, new byte[4]))));
        byte[] unix = binary(PROXY, 0x31, new byte[216], value(CHECKSUM, new byte[4]));
        assertRefused(unix);
        assertNotTold(withChecksumAt(235, unix));
    }

    @Test
    void refusesAChecksumOfAnotherLength() {
        for (int length : new int[] {0, 1, 3, 5, 8}) {
            assertRefused(binary(value(CHECKSUM, new byte[length])));
        }
    }

    /** Each is a look at the whole header. */
    @Test
    void refusesASecondChecksum() {
        byte[] twice = binary(value(CHECKSUM, new byte[4]), value(CHECKSUM, new byte[4]));
        assertRefused(twice);
        assertRefused(withChecksumAt(31, twice));
        assertRefused(withChecksumAt(38, twice));
    }

    @Test
    void isNoLargerThanARequestMayBe() {
        byte[] header = binary(value(4, new byte[100]));
        for (int most : new int[] {header.length - 1, header.length}) {
            var run = new ProxyHeaderRun(most, 1 << 20);
            run.feed(header, 0, 16);
            assertEquals(most < header.length ? BAD : null, run.refusal);
            assertEquals(null, run.refusal == null ? feedRest(run, header) : null);
        }
    }

    private static String feedRest(ProxyHeaderRun run, byte[] header) {
        run.feed(header, 16, header.length - 16);
        assertEquals(CLIENT, run.client());
        return run.refusal;
    }

    /** Like an incomplete request. */
    @Test
    void isRefusedWhereThereIsNoMemoryForIt() {
        var run = new ProxyHeaderRun(1 << 20, 1_000);
        byte[] header = binary(value(4, new byte[5_000]));
        run.feed(header, 0, 3_000);
        assertEquals("503 out_of_buffers", run.refusal);
        assertTrue(run.parser.awaitsProxyHeader(), "so it is not answered");
        run.parser.drop();
        assertEquals(0, Inside.used(run.budget));
    }

    @Test
    void isABadRequestWhereNoneIsExpected() {
        for (byte[] header : headers().toList()) {
            var limits = new org.microhttp.wire.model.RequestLimits(1 << 20, 1 << 15, 100);
            var outcome = ParserRun.whole(limits, join(header, bytes(RawClient.GET)));
            assertEquals(List.of(), outcome.requests());
            assertTrue(outcome.end().startsWith("400 ") && !outcome.end().equals(BAD), outcome.end());
        }
    }
}
