package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.*;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Options;

/** Which addresses are of a network, and what is the text of one. */
class TrustedNetworkTest {

    private static boolean has(String network, String address) {
        return TrustedNetwork.parse(network).has(new InetSocketAddress(address, 1));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/8, 10.0.0.0, 10.255.255.255, 9.255.255.255, 11.0.0.0",
        "172.16.0.0/12, 172.16.0.0, 172.31.255.255, 172.15.255.255, 172.32.0.0",
        "192.0.2.4/30, 192.0.2.4, 192.0.2.7, 192.0.2.3, 192.0.2.8",
        "192.0.2.4/31, 192.0.2.4, 192.0.2.5, 192.0.2.3, 192.0.2.6",
        "192.0.2.4/32, 192.0.2.4, 192.0.2.4, 192.0.2.3, 192.0.2.5",
        "128.0.0.0/1, 128.0.0.0, 255.255.255.255, 127.255.255.255, 0.0.0.0",
        "fc00::/7, fc00::, fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, fbff::, fe00::",
        "fe80::/10, fe80::, febf::1, fe7f::, fec0::",
        "2001:db8::/127, 2001:db8::, 2001:db8::1, 2001:db7::, 2001:db8::2",
        "2001:db8::1/128, 2001:db8::1, 2001:db8::1, 2001:db8::, 2001:db8::2",
        "8000::/1, 8000::, ffff::, 7fff::, ::"})
    void hasFromItsFirstAddressToItsLast(String network, String first, String last, String before,
            String after) {
        assertTrue(has(network, first) && has(network, last), network);
        assertFalse(has(network, before) || has(network, after), network);
    }

    /** With zeros in front, and the number that stands for version 4 at another place. */
    @Test
    void takesIPv6NetworksThatLookLikeIPv4() {
        assertTrue(has("::ffff:1:2:3/128", "::ffff:1:2:3"));
        assertTrue(has("0:ffff::/32", "0:ffff:1::"));
        assertTrue(has("::ffff:0:0:0/96", "::ffff:0:1:2"));
        assertTrue(has("::10.0.0.0/104", "::a00:1"));
    }

    /** What does not count may be anything. */
    @Test
    void looksAtNoMoreThanItsBits() {
        assertTrue(has("10.1.2.3/8", "10.9.9.9"));
        assertTrue(has("2001:db8::77/32", "2001:db8:1::1"));
        assertTrue(has("1.2.3.4/0", "200.0.0.1"));
    }

    @Test
    void hasAllOfItsVersionAndNoneOfTheOther() {
        for (String address : List.of("0.0.0.0", "127.0.0.1", "255.255.255.255")) {
            assertTrue(has("0.0.0.0/0", address));
            assertFalse(has("::/0", address));
            assertFalse(has("::/128", address));
        }
        for (String address : List.of("::", "::1", "::7f00:1", "ffff::")) {
            assertTrue(has("::/0", address));
            assertFalse(has("0.0.0.0/0", address));
        }
    }

    /** As a socket of version 6 has it of a client of version 4. */
    @Test
    void hasAnAddressOfVersion4ThatIsWrittenAsOneOf6() throws Exception {
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        mapped[12] = 10;
        var client = new InetSocketAddress(InetAddress.getByAddress(mapped), 1);
        assertTrue(TrustedNetwork.parse("10.0.0.0/8").has(client));
        assertFalse(TrustedNetwork.parse("::/0").has(client));
    }

    @Test
    void hasAnAddressOfALinkWhateverItsZone() throws Exception {
        byte[] local = InetAddress.getByName("fe80::1").getAddress();
        var client = new InetSocketAddress(java.net.Inet6Address.getByAddress(null, local, 7), 1);
        assertTrue(TrustedNetwork.parse("fe80::/10").has(client));
    }

    @Test
    void privateOnesAreOfThisMachineOrOfNobodyElse() {
        for (String address : List.of("127.0.0.1", "127.255.255.254", "10.1.2.3", "172.20.0.1",
                "192.168.255.1",
                "169.254.1.1", "::1", "fd00::1", "fe80::1")) {
            assertTrue(TrustedNetwork.PRIVATE.stream().anyMatch(network -> has(network, address)), address);
        }
        for (String address : List.of("192.0.2.1", "8.8.8.8", "172.32.0.1", "192.169.0.1", "100.64.0.1",
                "0.0.0.0",
                "::", "::2", "2001:db8::1", "ff02::1", "fec0::1")) {
            assertFalse(TrustedNetwork.PRIVATE.stream().anyMatch(network -> has(network, address)), address);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "10.0.0.0", "10.0.0.0/", "/8", "10.0.0.0/33", "10.0.0.0/-1",
        "10.0.0.0/+8", "10.0.0.0/128",
        "10.0.0.0/08", "10.0.0.0/8 ", " 10.0.0.0/8", "10.0.0.0 /8", "10.0.0.0/8\n", "10.0.0/8",
        "10.0.0.0.0/8",
        "10.0.0.256/8", "010.0.0.0/8", "10.0.0.0/255.0.0.0", "10.0.0.0/8/8", "localhost/8",
        "example.com/24", "::1",
        "::1/", "::1/129", "::1/0128", "::1/1000", "[::1]/128", "fe80::1%eth0/64", "fe80::1%1/64", ":::/8",
        "1::2::3/8", "1:2:3:4:5:6:7/8", "1:2:3:4:5:6:7:8:9/8", "::1.2.3/8", "1:2:3:4:5:6:7:1.2.3.4/8",
        "12345::/8", "*", "all", "unix:/tmp/a", "10.0.0.0-10.0.0.9", "\u0661.0.0.0/8", "10.0.0.0/\u0668"})
    void refusesTextThatIsNoNetwork(String text) {
        assertRefused(text);
    }

    /** However it is spelled: no client has such an address, so nobody would be of it. */
    @ParameterizedTest
    @ValueSource(strings = {"::ffff:10.0.0.0/104", "::FFFF:10.0.0.0/8", "::ffff:a00:0/104", "::ffff:0:0/96",
        "0::ffff:10.0.0.0/104", "0:0:0:0:0:ffff:10.0.0.0/8", "0:0:0:0:0:ffff:a00:0/104",
        "::0:ffff:10.0.0.0/104",
        "0000:0000:0000:0000:0000:FFFF:0a00:0000/128", "0:0:0:0:0:ffff::/96", "0:0:0:0:0:ffff:a00::/112"})
    void refusesAnAddressOfVersion4ThatIsWrittenAsOneOf6(String text) {
        assertRefused(text);
    }

    private static void assertRefused(String text) {
        var options = new Options().withTrustedProxies(List.of("10.0.0.0/8"));
        var list = List.of("::1/128", text);
        var thrown = assertThrows(IllegalArgumentException.class, () -> options.withTrustedProxies(list));
        for (String part : List.of("trustedProxies", Syntax.escaped(text),
                "ADDRESS/BITS, as 10.0.0.0/8 or fc00::/7")) {
            assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
        }
        assertEquals(List.of("10.0.0.0/8"), options.trustedProxies(), "unchanged");
    }
}
