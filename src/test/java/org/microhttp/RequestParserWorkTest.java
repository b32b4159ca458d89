package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.work.CountedLibrary;

/**
 * R4b, R11: twice the input, however it is cut, costs at most 2.2 times the work, and work for each byte is
 * bounded. Counted, not timed, by {@link CountedLibrary}; the bounds are in {@link WorkBounds}.
 */
class RequestParserWorkTest {

    private static final Map<String, Consumer<CountedLibrary>> BOUNDS = WorkBounds.all();

    @TestFactory
    Stream<DynamicTest> workIsBounded() {
        return BOUNDS.entrySet().stream().map(bound -> DynamicTest.dynamicTest(bound.getKey(),
                () -> bound.getValue().accept(CountedLibrary.get())));
    }

    /** A refusal in the middle would hide the work for the rest. */
    @Test
    void everyShapeIsTaken() {
        WorkBounds.SHAPES.forEach((name, shape) -> {
            byte[] bytes = WorkBounds.bytes(shape.apply(100));
            String end = name.equals("an endless name") ? "more" : "";
            assertEquals(end, ParserRun.inPieces(Workloads.WIDE, bytes, 7).end(), name);
        });
    }

    /** Faults that somebody may bring in, and the bound that finds each. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', maxCharsPerColumn = 200, textBlock = """
            # a line is searched again from its start
            ByteQueue | Math.max(scanned, position) | position | one long line, in pieces of 1
            ByteQueue | Math.max(scanned, position) | position | one long line, in pieces of 1000
            # the queue grows by as much as comes, or by a constant
            ByteQueue | Math.max(length + more, doubled) | length + more | a long target, in pieces of 3
            ByteQueue | Math.min(2L * length, most) | Math.min(length + 1024L, most) | a line in a queue
            ByteQueue | Math.min(2L * length, most) | Math.min(length + 65536L, most) | a line in a queue
            # what is kept moves with every turn, or with every request
            ByteQueue | bytes.length / 4 > length | bytes.length > 0 | early requests
            ByteQueue | start = position; | start = position; moveTo(end - start); | many requests, whole
            # a list is read from its start for each element, white space for each of its octets
            FieldList | if (found) elements++; | for (int i = 0; i < at; i++) elements += 0; | options, whole
            HeaderSection | end--; | endOf(TEXT, bytes, value, end--); | a section takes Content-Type:
            # the section, or the array, is gone over for each field
            RequestParser | section.add(bytes, | for (byte b : bytes); section.add(bytes, | many fields, whole
            RequestParser | section.add(bytes, | text(bytes); section.add(bytes, | many fields, whole
            # the fields are taken apart once more for whoever asks, or copied for each
            Request | known == null | true | a field is asked for
            Request | from = end + 2; | from = end + 2; lines = lines.clone(); | many fields, whole
            # a regular expression goes back
            RequestTarget | "[A-Za-z][A-Za-z0-9+.-]*:// | "[A-Za-z]+[A-Za-z0-9+.-]*:// | a long scheme, whole
            # a header is summed with each of its octets
            ProxyHeader | if (header.limit() < \
                | new CRC32C().update(header.duplicate()); if (header.limit() < | a proxy header: values
            """)
    void faultsAreFound(String name, String text, String fault, String bound) {
        CountedLibrary faulty = CountedLibrary.get().with(name, text, fault);
        var found = assertThrows(AssertionError.class, () -> BOUNDS.get(bound).accept(faulty));
        assertTrue(found.getMessage().contains(" steps"), found.toString());
    }
}
