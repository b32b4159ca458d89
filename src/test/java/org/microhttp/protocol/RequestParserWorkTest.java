package org.microhttp.protocol;

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
import org.microhttp.testing.Mutation;
import org.microhttp.work.CountedLibrary;

/**
 * R4b, R11: twice the input, however it is cut, costs at most 2.2 times the work, and work for each byte is
 * bounded. It is counted by {@link CountedLibrary}, the steps of regular expressions included, with the
 * bounds of {@link WorkBounds}.
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
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
            # a line is searched again from its start
            ByteQueue.findLineEnd call max => position ~ one long line, in pieces of 1
            ByteQueue.findLineEnd call max => position ~ one long line, in pieces of 1000
            # the queue grows by as much as comes, or by a constant
            ByteQueue literal 2L => 0L ~ a long target, in pieces of 3
            ByteQueue op * with 2L => $2 + 1024L ~ a line in a queue
            ByteQueue op * with 2L => $2 + 65536L ~ a line in a queue
            # what is kept moves with every turn, or with every request
            ByteQueue.keep op / => Integer.MAX_VALUE ~ early requests
            ByteQueue.discard body => bytes = bytes.clone(); ~ many requests, whole
            # a list is read from its start for each element, white space for each of its bytes
            ListReader.next body => for (byte b : @byte[]); ~ options, whole
            Syntax.trimmedEnd op -- => endOf(TEXT, #1, #2, $) ~ a section takes Content-Type:
            # the section, or the array, is gone over for each field
            RequestParser call add/4 => for (byte b : $1); $ ~ many fields, whole
            RequestParser call add/4 => text($1); $ ~ many fields, whole
            # the fields are taken apart once more for whoever asks, or copied for each
            Request.headers if => true ~ a field is asked for
            Request call add with new Header => $; #1 = #1.clone() ~ many fields, whole
            # a regular expression goes back
            RequestTarget literal with :// => $.replaceFirst("]", "]+") ~ a long scheme, whole
            # a header is summed with each of its bytes
            ProxyHeader.length body => new CRC32C().update(#1.duplicate()); ~ a proxy header: values
            """)
    void faultsAreFound(String fault, String bound) {
        CountedLibrary faulty = CountedLibrary.get().with(Mutation.parse(fault));
        var found = assertThrows(AssertionError.class, () -> BOUNDS.get(bound).accept(faulty));
        assertTrue(found.getMessage().contains(" steps"), found.toString());
    }
}
