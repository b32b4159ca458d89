package org.microhttp.extras.cookies;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/** What a program finds of the fields Cookie that clients send. */
@Tier.Gate
final class CookiesTest {

    private static Request request(String... fields) {
        return Representations.request("GET",
                Stream.of(fields).map("Cookie: "::concat).toArray(String[]::new));
    }

    private static String shown(Cookies cookies) {
        return cookies.names().stream().map(name -> name + cookies.all(name))
                .collect(Collectors.joining(" "));
    }

    /**
     * Left: a field, perhaps several; right: names and values. The fields down to the first empty one are
     * what web-platform-tests (cookies/name, cookies/value) have browsers send.
     */
    @ParameterizedTest
    @ValueSource(strings = {
        "test=1, baz=qux => test[1, baz=qux]",
        "test=\"2, baz=qux\" => test[\"2, baz=qux\"]",
        "test=\"3zz => test[\"3zz]",
        "test=\"5zzz \"   \"ppp\" => test[\"5zzz \"   \"ppp\"]",
        "test=6A\"B => test[6A\"B]",
        "test7 => ",
        "\"test8\"HHH\" => ",
        "test=\"14 \" => test[\"14 \"]",
        "test=\"17\" => test[\"17\"]",
        "test=\"  18 \" => test[\"  18 \"]",
        "test=\"20=20\" => test[\"20=20\"]",
        "testA=22; test22=; testB=22 => testA[22] test22[] testB[22]",
        "test=%32%33 => test[%32%33]",
        "test24== => test24[=]",
        "test=25=25 => test[25=25]",
        "test=26=26=26 => test[26=26=26]",
        "test=27 test => test[27 test]",
        "test test28 => ",
        "test1= => test1[]",
        "test=2 => test[2]",
        "==test=2b => ",
        "\"test=5 => ",
        "$Version=1 => $Version[1]",
        "test test=8 => ",
        "test11b; test=11c => test[11c]",
        "testA=13; testB=13 => testA[13] testB[13]",
        "z=test15; a=test15 => z[test15] a[test15]",
        "z=test16, a=test16 => z[test16, a=test16]",
        "testA=16; test16; testB=16 => testA[16] testB[16]",
        "%74%65%73%74=20 => %74%65%73%74[20]",
        " => ",
        "SID=31d4d96e407aad42; lang=en-US => SID[31d4d96e407aad42] lang[en-US]",
        "a=1;b=2 => a[1] b[2]",
        "  a = 1 \t;\t b=2;; ;=; c => a[1] b[2]",
        "a=1; a=2; A=3 => a[1, 2] A[3]",
        "a=1 & b=2; a=3 => a[1, 3] b[2]",
        "a={\"b\":[1]}; c=\u00e4 => a[{\"b\":[1]}] c[\u00e4]",
        "a(b=1; a,b=2; a\u00e4=3; a/b=4; ok=5 => ok[5]",
        "a=1; $Path=/ => a[1] $Path[/]"})
    void pairsAreFound(String row) {
        String[] sides = row.split(" => ", -1);
        assertEquals(sides[1], shown(Cookies.of(request(sides[0].split(" & ")))), row);
    }

    @Test
    void aNameHasItsFirstValueOrAnother() {
        Cookies cookies = Cookies.of(request("a=1; a=2; b="));
        assertEquals(List.of("1", "", "none"),
                List.of(cookies.get("a", ""), cookies.get("b", "none"), cookies.get("c", "none")));
        assertNull(cookies.get("B", null));
        assertEquals(List.of(), cookies.all("c"));
        assertThrows(UnsupportedOperationException.class, () -> cookies.names().remove("a"));
        assertEquals("cookies [a, b]", cookies.toString());
        assertEquals("", shown(Cookies.of(request())));
    }

    @Test
    void cookiesAboveTheLimitsAreIgnored() {
        String most = "n=" + "x".repeat(4095);
        assertEquals(List.of("n"), List.copyOf(Cookies.of(request(most)).names()));
        assertEquals("ok[1]", shown(Cookies.of(request(most + "x; ok=1"))));
        String many = Stream.iterate(0, i -> i + 1).limit(201).map(i -> "n" + i + "=")
                .collect(Collectors.joining("; "));
        assertEquals(200, Cookies.of(request("no cookie; " + many, "m=1")).names().size());
        assertEquals("a[1] b[]", shown(Cookies.of(request("a=1; c=12; b=; d="), 2, 2)));
        assertEquals("", shown(Cookies.of(request("a=1"), 0, 9)));
        assertThrows(IllegalArgumentException.class, () -> Cookies.of(request(), -1, 0));
        assertThrows(IllegalArgumentException.class, () -> Cookies.of(request(), 0, -1));
    }

    /** Any text, compared with the rule as it is said; and cookies that were made are found. */
    @Test
    void anyFieldIsRead() throws Exception {
        String characters = "ab==;;; \t\",\\$/\u00e9";
        RandomCases.forEach(20_000, random -> {
            var field = new StringBuilder("x");
            for (int i = random.nextInt(30); i > 0; i--) {
                field.append(characters.charAt(random.nextInt(characters.length())));
            }
            String text = field.toString().strip();
            List<String> expected = new ArrayList<>();
            for (String pair : text.split(";")) {
                String[] sides = pair.split("=", 2);
                if (sides.length == 2 && sides[0].matches("[ \t]*[ab$x]+[ \t]*")) {
                    expected.add(sides[0].strip() + "=" + sides[1].strip());
                }
            }
            var headers = List.of(new Header("Cookie", text));
            Cookies cookies = Cookies.of(new Request("GET", "/", "HTTP/1.1", headers, new byte[0]));
            List<String> found = cookies.names().stream()
                    .flatMap(name -> cookies.all(name).stream().map(value -> name + "=" + value)).toList();
            assertEquals(expected.stream().sorted().toList(), found.stream().sorted().toList(), text);
        });
    }
}
