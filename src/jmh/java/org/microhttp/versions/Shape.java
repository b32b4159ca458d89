package org.microhttp.versions;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** What clients send, and how it is answered. The first four are those of ConnectionBenchmark. */
enum Shape {
    HELLO("hello", Requests.same(Requests.HELLO, 1), 1),
    PIPELINED("pipelined", Requests.same(Requests.HELLO, 16), 16),
    BROWSER("browser", Requests.same(Requests.BROWSER, 1), 1),
    BODY("bodyOf4KiB", Requests.same(Requests.POST, 1), 1),
    VARIED("varied", Requests.varied(), 1),

    /** Answered after the handler has returned. */
    ASYNC("async", Requests.same(Requests.HELLO, 1), 1);

    /** As users know it. */
    final String title;

    /** Clients send one after the other. */
    final ByteBuffer[] sent;

    /** How many requests one of these is. */
    final int batch;

    Shape(String title, ByteBuffer[] sent, int batch) {
        this.title = title;
        this.sent = sent;
        this.batch = batch;
    }

    static List<String> titles() { return Arrays.stream(values()).map(shape -> shape.title).toList(); }

    /** Of a title that is one. */
    static Shape of(String title) { return values()[titles().indexOf(title)]; }
}
