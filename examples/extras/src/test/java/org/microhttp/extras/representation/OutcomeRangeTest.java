package org.microhttp.extras.representation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/** What part of a variant a Range gets (RFC 9110 §14). */
@Tier.Gate
final class OutcomeRangeTest {

    private static final String WHOLE = "200 0+100";
    private static final String NOWHERE = "416 0+0";

    private static String asked(long length, String... fields) {
        Resource resource = Representations.resource("identity " + length);
        Outcome outcome = Representations.get(resource, fields);
        return outcome.status() + " " + outcome.first() + "+" + outcome.length();
    }

    /** Each row has a status, where the part begins and how long it is, and behind an arrow the field. */
    private static void give(String... rows) {
        for (String row : rows) {
            String[] parts = row.split(" <- ", 2);
            assertEquals(parts[0], asked(100, "Range: " + parts[1]), row);
        }
    }

    /** RFC 9110 §14.1.2. */
    @Test
    void rangeHasAFirstAndALastPosition() {
        give("206 0+1 <- bytes=0-0", "206 0+50 <- bytes=0-49", "206 99+1 <- bytes=99-99",
                "206 0+100 <- bytes=0-99", "206 10+90 <- bytes=10-100",
                "206 10+90 <- bytes=10-999999999999999999",
                "206 7+2 <- bytes=007-0000000000000000000000000008");
    }

    @Test
    void rangeMayReachToTheEnd() {
        give("206 0+100 <- bytes=0-", "206 99+1 <- bytes=99-", "206 99+1 <- bytes=-1",
                "206 0+100 <- bytes=-100", "206 0+100 <- bytes=-101",
                "206 0+100 <- bytes=-99999999999999999999999");
    }

    @Test
    void rangeBeyondTheEndGets416() {
        for (String range : List.of("100-", "100-100", "100-200", "-0", "-000", "99999999999999999999-",
                "9223372036854775807-9223372036854775808")) {
            give("416 0+0 <- bytes=" + range);
        }
    }

    /** As in an example of the section, and for elements that are empty (§5.6.1.2). */
    @Test
    void theUnitInAnyCaseSpacesAndCommasAroundOne() {
        for (String range : List.of("BYTES=0-0", "Bytes=0-0", "bytes= 0-0", "bytes=,0-0",
                "bytes=0-0 , \t,")) {
            give("206 0+1 <- " + range);
        }
    }

    /** RFC 9110 §14.2: a server may, and of a unit that it does not know must. */
    @Test
    void otherRangesGetTheWhole() {
        for (String range : List.of("bytes=0-1,2-3", "bytes=0-0,0-0", "bytes=0-0,-1", "bytes=200-,300-",
                "octets=0-1", "seconds=1-2", "none=0-1", "bytes", "bytes=", "bytes=-", "bytes= ", "bytes=,",
                "bytes=1", "bytes=2-1", "bytes=200-100", "bytes=a-b", "bytes=0x0-1", "bytes=+1-2",
                "bytes=1--2", "bytes=--1", "bytes=1-2-3", "bytes =0-1", "bytes=0 -1", "bytes=0- 1",
                "bytes=0-1 2-3", "bytes:0-1", "0-1", "", "=0-1", "bytes=0-1;x", "bytes=\u00B9-2",
                "bytes=1.0-2", "bytes=*", "bytes 0-1/100", "b\u00FFtes=0-1")) {
            give("200 0+100 <- " + range);
        }
    }

    @Test
    void repeatedFieldGetsTheWhole() {
        assertEquals(WHOLE, asked(100, "Range: bytes=0-1", "Range: bytes=0-1"));
        assertEquals(WHOLE, asked(100, "Range: bytes=0-1", "range: x"));
    }

    @Test
    void fieldsOfAnySize() {
        give("200 0+100 <- bytes=" + "0-0,".repeat(8_000) + "0-0",
                "416 0+0 <- bytes=" + "9".repeat(30_000) + "-",
                "206 0+1 <- bytes=" + ",".repeat(30_000) + "0-" + "0".repeat(30_000),
                "200 0+100 <- bytes=" + ", ".repeat(15_000) + "x");
    }

    @Test
    void headIgnoresRanges() {
        Resource resource = Representations.resource("identity 100");
        for (String range : List.of("bytes=0-1", "bytes=100-")) {
            Outcome outcome = Outcome.of(Representations.request("HEAD", "Range: " + range), resource);
            assertEquals(Outcome.Kind.WHOLE, outcome.kind());
            assertEquals(100, outcome.length());
        }
    }

    /** RFC 9110 §14.2: it may be ignored there, and no Content-Range could say that nothing is sent. */
    @Test
    void rangeOfAnEmptyFileIsIgnored() {
        for (String range : List.of("bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0", "bytes=5-9")) {
            assertEquals("200 0+0", asked(0, "Range: " + range), range);
        }
    }

    @Test
    void isOfTheChosenVariant() {
        Resource resource = Representations.resource("identity 100, gzip 40");
        Outcome outcome = Representations.get(resource, "Accept-Encoding: gzip", "Range: bytes=-50");
        assertEquals("\"gzip\"", outcome.variant().entityTag());
        assertEquals(0, outcome.first());
        assertEquals(40, outcome.length());
    }

    @Test
    void rangeMayBeHuge() {
        long most = Long.MAX_VALUE;
        assertEquals("206 0+" + most, asked(most, "Range: bytes=0-"));
        assertEquals("206 5000000000+1", asked(most, "Range: bytes=5000000000-5000000000"));
        assertEquals("206 " + (most - 1) + "+1", asked(most, "Range: bytes=-1"));
    }

    @Test
    void rangesAgreeWithASlowModel() throws Exception {
        RandomCases.forEach(3_000, random -> {
            int length = 1 + random.nextInt(12);
            String range = range(random);
            assertEquals(model(length, range), asked(length, "Range: " + range), range + " of " + length);
        });
    }

    private static String range(SplittableRandom random) {
        String units = random.nextInt(8) == 0 ? "bits" : random.nextInt(8) == 0 ? "ByTeS" : "bytes";
        var text = new StringBuilder(units).append(random.nextInt(16) == 0 ? "" : "=");
        if (random.nextInt(3) > 0) {
            String first = random.nextInt(4) == 0 ? "" : "" + random.nextInt(14);
            String last = random.nextInt(4) == 0 ? "" : "" + random.nextInt(14);
            return text.append(first).append('-').append(last).toString();
        }
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append("0123456789---,, \tx".charAt(random.nextInt(18)));
        }
        return text.toString().strip();
    }

    /** Asks of each byte whether it is wanted. */
    private static String model(int length, String range) {
        String whole = "200 0+" + length;
        String[] parts = range.split("=", 2);
        if (!parts[0].equalsIgnoreCase("bytes") || parts.length < 2) {
            return whole;
        }
        List<String> elements = Stream.of(parts[1].split(","))
                .map(element -> element.replaceAll("^[ \t]+|[ \t]+$", ""))
                .filter(element -> !element.isEmpty()).toList();
        if (elements.size() != 1 || !elements.get(0).matches("[0-9]+-[0-9]*|-[0-9]+")) {
            return whole;
        }
        String[] ends = elements.get(0).split("-", 2);
        long first = ends[0].isEmpty() ? length - Long.parseLong(ends[1]) : Long.parseLong(ends[0]);
        long last = ends[0].isEmpty() || ends[1].isEmpty() ? length : Long.parseLong(ends[1]);
        if (!ends[0].isEmpty() && last < first && !ends[1].isEmpty()) {
            return whole;
        }
        int from = -1;
        int count = 0;
        for (int position = length - 1; position >= 0; position--) {
            if (position >= first && position <= last) {
                from = position;
                count++;
            }
        }
        return count == 0 ? NOWHERE : "206 " + from + "+" + count;
    }
}
