package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much a client that lingers may still send, and for how long; also where the clock's number wraps. */
class LingeringLimitsTest {

    private static final long SECOND = 1_000_000_000L;

    /**
     * What reads return, "bytes at second" each ("29x1" is one byte in each of 29 seconds); the last one ends
     * the lingering, and the deadline was this before it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "5 seconds of silence                 | 0@5         |  5",
        "silence since the last bytes         | 1@4 0@8 0@9 |  9",
        "30 seconds, whatever comes           | 29x1 1@30   | 30",
        "64 MiB and a byte                    | 67108864@1 1@1 | 6",
        "64 MiB and a byte, in parts          | 33554432@1 33554432@2 1@3 | 7",
        "the end of the client's side         | -1@0        |  5",
        "the end of the client's side, later  | -1@1        |  5",
    })
    void endsAfter(String what, String reads, long deadline) {
        for (long began : new long[] {0, Long.MAX_VALUE - 1, Long.MAX_VALUE - 7 * SECOND, -1}) {
            var lingering = new Lingering(began);
            String[] all = reads.replace("29x1", IntStream.range(1, 30).mapToObj(second -> "1@" + second)
                    .collect(Collectors.joining(" "))).split(" ");
            for (int i = 0; i < all.length; i++) {
                String[] read = all[i].split("@");
                long at = began + Long.parseLong(read[1]) * SECOND;
                int count = Integer.parseInt(read[0]);
                boolean last = i == all.length - 1;
                if (last) assertEquals(began + deadline * SECOND, lingering.deadline, what);
                if (last && count == 0) assertEquals(false, lingering.record(0, at - 1), what);
                assertEquals(last, lingering.record(count, at), what);
            }
        }
    }
}
