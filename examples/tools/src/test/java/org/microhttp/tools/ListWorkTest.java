package org.microhttp.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.extras.accesslog.Trust;
import org.microhttp.extras.forms.FormHandler;
import org.microhttp.extras.forms.FormLimits;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.routing.Parameters;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.extras.testing.Representations;
import org.microhttp.testing.Tier;

/**
 * What reads a list that a client sends takes time in proportion to its length, and makes no object for each
 * element: with a hundred times as many elements as a head may have, work that grows faster would not end.
 */
@Tier.Program
final class ListWorkTest {

    private static final int LENGTH = 1_000_000;

    /** A hundred times what it takes; and a fifth of what looking once through the rest for each takes. */
    private static final int LIMIT_MILLIS = 2_000;

    private static final List<String> ELEMENTS = List.of(",", "a,", ";", "a;", ",;", "a=b;", "a=b,", "&",
            "a&", "a=b&", "\"", "\",", "\"a\",", "\"a\" ", "W/\"a\",", "W/", "*,", "gzip;q=0,", "gzip;q=1 ;",
            "gzip\t,", " ", "\t,", "=", "for=a,", "for=a;", "for=\"a\",", "\\", "\\\"", "0", "0-,", "-1,",
            "10.0.0.1,", "127.0.0.1 ,", "%", "%41", "%C3%A9", "+", "a", "(", "[::1],");
    private static final Resource RESOURCE = Representations.resource("identity 100, gzip 40, br 30");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Each reads a value. */
    private static final Map<String, Consumer<String>> READERS = Map.of(
            "Accept-Encoding", value -> outcome("Accept-Encoding", value),
            "If-None-Match", value -> outcome("If-None-Match", value),
            "If-Match", value -> outcome("If-Match", value),
            "If-Range", value -> outcome("If-Range", value),
            "Range", value -> outcome("Range", "bytes=" + value),
            "Content-Type", ListWorkTest::form,
            "Forwarded", value -> client(List.of(value), List.of()),
            "X-Forwarded-For", value -> client(List.of(), List.of(value)),
            "query", ListWorkTest::parameters);

    private static void outcome(String name, String value) {
        var fields = List.of(new Header(name, value.strip()));
        Outcome.of(new Request("GET", "/", "HTTP/1.1", fields, new byte[0]), RESOURCE);
    }

    private static void form(String value) {
        var handler = new FormHandler(Path.of("none"), FormLimits.DEFAULT, Runnable::run,
                (request, form) -> null);
        for (String type : List.of(value, "multipart/form-data;" + value)) {
            var fields = List.of(new Header("Content-Type", type.strip()));
            handler.receiver(new Request("POST", "/", "HTTP/1.1", fields, new byte[0]));
        }
    }

    private static void client(List<String> forwarded, List<String> list) {
        InetAddress peer = InetAddress.getLoopbackAddress();
        Trust.of("127.0.0.0/8,10.0.0.0/8").client(peer, forwarded, list);
    }

    private static void parameters(String value) {
        try {
            Parameters.query(new Request("GET", "/?" + value, "HTTP/1.1", List.of(), new byte[0]));
        } catch (RequestException e) {
            // too many, or not encoded
        }
    }

    static Stream<String> readers() {
        return READERS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("readers")
    void takesTimeInProportion(String reader) {
        for (String element : ELEMENTS) {
            // what follows may show only at the end that all before it is something else
            for (String end : List.of("", "x")) {
                assertInProportion(reader, element, end);
            }
        }
    }

    private static void assertInProportion(String reader, String element, String end) {
        String value = element.repeat(LENGTH / element.length()) + end;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long begin = THREADS.getCurrentThreadCpuTime();
        READERS.get(reader).accept(value);
        long millis = (THREADS.getCurrentThreadCpuTime() - begin) / 1_000_000;
        long each = (THREADS.getCurrentThreadAllocatedBytes() - before) / LENGTH;
        assertTrue(each <= 10, element + " takes " + each + " bytes for each character");
        assertTrue(millis < LIMIT_MILLIS, element + " takes " + millis + " ms");
    }
}
