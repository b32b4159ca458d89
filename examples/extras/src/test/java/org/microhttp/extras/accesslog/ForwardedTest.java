package org.microhttp.extras.accesslog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.Tier;

/** Who the client is, by what the access log is told of trusted proxies and what these say. */
@Tier.Gate
final class ForwardedTest {

    private static final String PEER = "10.0.0.1";
    private static final Trust TRUST = Trust.of("10.0.0.0/8, 2001:db8:aa::/48,192.0.2.77");

    private static void expect(String client, List<String> forwarded, List<String> list) throws Exception {
        assertEquals(InetAddress.getByName(client),
                TRUST.client(InetAddress.getByName(PEER), forwarded, list));
    }

    private static void listed(String client, String... fields) throws Exception {
        expect(client, List.of(), List.of(fields));
    }

    private static void forwarded(String client, String... fields) throws Exception {
        expect(client, List.of(fields), List.of());
    }

    @Test
    void nobodyIsTrustedByDefault() throws Exception {
        InetAddress peer = InetAddress.getByName("127.0.0.1");
        assertEquals(peer, Trust.nobody().client(peer, List.of("for=1.2.3.4"), List.of("1.2.3.4")));
    }

    @Test
    void untrustedPeerIsTheClient() throws Exception {
        InetAddress peer = InetAddress.getByName("192.0.2.78");
        assertEquals(peer, TRUST.client(peer, List.of("for=1.2.3.4"), List.of("1.2.3.4")));
        assertEquals(null, TRUST.client(null, List.of(), List.of("1.2.3.4")));
    }

    @Nested
    class TheList {

        @Test
        void lastUntrustedAddressIsTheClient() throws Exception {
            listed("192.0.2.1", "192.0.2.1");
            listed("192.0.2.1", "6.6.6.6, 192.0.2.1");
            listed("192.0.2.1", "6.6.6.6,192.0.2.1 ,\t10.1.2.3,2001:db8:aa::5 , 192.0.2.77");
        }

        @Test
        void firstAddressIsTheClientIfAllAreTrusted() throws Exception {
            listed("10.0.0.3", "10.0.0.3, 10.0.0.2");
            listed(PEER);
            listed(PEER, "");
            listed(PEER, " , ,");
        }

        @Test
        void severalFieldsAsOne() throws Exception {
            listed("192.0.2.1", "6.6.6.6", "192.0.2.1, 10.0.0.4", "", "10.0.0.3");
        }

        @Test
        void portsAndBrackets() throws Exception {
            listed("192.0.2.1", "192.0.2.1:4711");
            listed("2001:db8::1", "2001:db8::1");
            listed("2001:db8::1", "[2001:db8::1]");
            listed("2001:db8::1", "[2001:DB8::1]:4711");
            listed("192.0.2.1", "::ffff:192.0.2.1, ::ffff:10.0.0.3");
        }

        @Test
        void invalidAddressEndsTheSearch() throws Exception {
            for (String broken : List.of("unknown", "_hidden", "localhost", "256.1.1.1", "1.2.3", "1.2.3.4.5",
                    "1234", "1.2.3.4:80:90", "[::1", "::1]", "[1.2.3.4]", "[]", ":", "::1::",
                    "1:2:3:4:5:6:7:8:9", "\"1.2.3.4\"", "1.2.3.4 5", "-1.2.3.4", "[::1]x",
                    "0x7f.1.1.1", "\u0661.2.3.4")) {
                listed("10.0.0.3", "192.0.2.1, " + broken + ", 10.0.0.3");
            }
        }

        /** Nobody is behind so many, but a client may say so. */
        @Test
        void aRowOfProxiesIsBounded() throws Exception {
            listed("192.0.2.1", "192.0.2.1" + ",10.0.0.3".repeat(31));
            listed("10.0.0.3", "192.0.2.1" + ",10.0.0.3".repeat(32));
        }
    }

    /** RFC 7239 §4. */
    @Nested
    class TheField {

        @Test
        void lastUntrustedAddressIsTheClient() throws Exception {
            forwarded("192.0.2.43", "for=192.0.2.43");
            forwarded("192.0.2.43", "For=6.6.6.6;proto=http, by=203.0.113.60;FOR=192.0.2.43 , for=10.2.3.4");
            forwarded("192.0.2.43", "for=6.6.6.6", "for=192.0.2.43,, for=10.2.3.4;", ", for=10.0.0.9");
        }

        @Test
        void quotedNodes() throws Exception {
            forwarded("2001:db8::1", "for=\"[2001:db8::1]:4711\"");
            forwarded("2001:db8::1", "for=\"[2001:db8::1]\";proto=https;host=\"a, for=1.2.3.4\"");
            forwarded("192.0.2.43", "for=\"192.0.2.43:_port\"");
            forwarded("192.0.2.43", "for=192.0.2.43:80");
        }

        @Test
        void pairsMayBeLeftOut() throws Exception {
            forwarded("192.0.2.43", ";for=192.0.2.43;;by=x; , for=10.2.3.4;");
        }

        @Test
        void invalidAddressEndsTheSearch() throws Exception {
            for (String node : List.of("for=unknown", "for=_SEVKISEK", "for=\"_gazonk\"", "proto=http",
                    "for=\"\"", "for=\"unknown:80\"")) {
                forwarded("10.0.0.3", "for=192.0.2.1, " + node + ", for=10.0.0.3");
            }
        }

        /** Behind an open quote nobody knows what is whose. */
        @Test
        void aBrokenFieldSaysNothing() throws Exception {
            for (String broken : List.of("for=\"", "for=\"6.6.6.6", "for", "for=", "=6.6.6.6",
                    "for=6.6.6.6 b", "for=6.6.6.6;for=7.7.7.7", "for=\"6.6.6.6\"\"", "for=\"6.6.6.6\\\"\"",
                    "for =6.6.6.6", "for=6.6.6.6;;by")) {
                forwarded(PEER, broken + ", for=192.0.2.1");
                forwarded(PEER, broken + ", for=\"[2001:db8::1]:4711\"");
            }
        }

        @Test
        void aFieldOfAnySizeIsRead() throws Exception {
            forwarded("192.0.2.1", "for=6.6.6.6,".repeat(2700) + "for=192.0.2.1");
            forwarded(PEER, "for=\"" + "a".repeat(32_000));
            forwarded(PEER, "a".repeat(32_000));
            forwarded("192.0.2.1", ",".repeat(32_000) + "for=192.0.2.1");
        }
    }

    @Nested
    class Both {

        @Test
        void agreeingFieldsAreBelieved() throws Exception {
            expect("192.0.2.1", List.of("for=192.0.2.1"), List.of("6.6.6.6, 192.0.2.1"));
        }

        /** One of them the proxy has handed on as the client sent it. */
        @Test
        void disagreeingFieldsAreIgnored() throws Exception {
            expect(PEER, List.of("for=6.6.6.6"), List.of("192.0.2.1"));
            expect(PEER, List.of("for=192.0.2.1"), List.of("6.6.6.6"));
            expect(PEER, List.of("for=unknown"), List.of("192.0.2.1"));
            expect(PEER, List.of("for=192.0.2.1"), List.of(""));
        }
    }

    @Nested
    class Networks {

        private void contains(String network, String address, boolean expected) throws Exception {
            InetAddress peer = InetAddress.getByName(address);
            InetAddress other = InetAddress.getByName("203.0.113.9");
            InetAddress client = Trust.of(network).client(peer, List.of(), List.of("203.0.113.9"));
            assertEquals(expected ? other : peer, client, network + " " + address);
        }

        @Test
        void networksMatchByTheirBits() throws Exception {
            contains("0.0.0.0/0", "255.1.2.3", true);
            contains("0.0.0.0/0", "::1", false);
            contains("::/0", "1.2.3.4", false);
            contains("128.0.0.0/1", "127.255.255.255", false);
            contains("128.0.0.0/1", "128.0.0.0", true);
            contains("192.0.2.128/25", "192.0.2.127", false);
            contains("192.0.2.128/25", "192.0.2.128", true);
            contains("192.0.2.200/25", "192.0.2.129", true);
            contains("192.0.2.1", "192.0.2.1", true);
            contains("192.0.2.1/32", "192.0.2.0", false);
            contains("2001:db8::/33", "2001:db8:7fff::", true);
            contains("2001:db8::/33", "2001:db8:8000::", false);
            contains("::1", "::1", true);
        }

        @Test
        void invalidNetworksAreRefused() {
            for (String wrong : List.of("", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1",
                    "10.0.0.0/+8", "localhost", "10.0.0", "10.0.0.0:80", "[::1]:80", "[::1]",
                    "::1/0x10", "10.0.0.0/8/8",
                    "10.0.0.0/8,", "10.0.0.0/8 ::1", "256.0.0.0/8", "fe80::1%1")) {
                assertThrows(IllegalArgumentException.class, () -> Trust.of(wrong), wrong);
            }
        }
    }
}
