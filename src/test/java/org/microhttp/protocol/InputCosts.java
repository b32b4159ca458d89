package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.function.IntFunction;
import org.microhttp.faults.tools.HostilePrefixes;

/**
 * What the parser costs per byte, by the clock, for every input of {@link HostilePrefixes} and {@link
 * WorkBounds} that can fill a read buffer. An input is completed to whole requests where that is possible,
 * and repeated. Any other must be long itself. No input may cost more than four times as much as one-byte
 * chunks in the same run, and trailers at most twice as much. Prints the ten worst, and fails if one of them
 * costs more than that.
 */
final class InputCosts {

    /** The input with which all others are compared. */
    private static final String ONE_BYTE_CHUNKS = "hostile: chunks of a byte";

    /** How long an input must be that cannot be repeated. */
    private static final int LONG = Workloads.BUFFER / 4;

    /** What may complete a request; the first that does is used. */
    private static final List<String> ENDS = List.of("", "\n", "\r\n", "\n\r\n", "\r\n\r\n", "a\r\n\r\n",
            ":\r\n\r\n", "0\r\n\r\n", "\n0\r\n\r\n", "\r\n0\r\n\r\n", "\r\nb\r\n0\r\n\r\n",
            "\"\r\nb\r\n0\r\n\r\n");

    /** The first rounds warm up; the least time of all rounds counts. */
    private static final int ROUNDS = 30;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final byte[] scratch = new byte[Workloads.BUFFER];
    private final Map<String, byte[]> inputs = new LinkedHashMap<>();
    private final Map<String, byte[]> proxyHeaders = new LinkedHashMap<>();

    /** Nanoseconds of CPU time per byte, by the name of the input. */
    private final Map<String, Double> costs = new HashMap<>();

    private InputCosts() {
        HostilePrefixes.all().forEach(prefix ->
                add("hostile: " + prefix.name(), String.join("", prefix.pieces())));
        WorkBounds.inputs().forEach(this::add);
        WorkBounds.proxyHeaders().forEach((name, header) -> {
            if (header.length >= LONG) {
                proxyHeaders.put("a proxy header: " + name, header);
            }
        });
    }

    /** Measures every input once in each round, so that all of them see the same machine. */
    private static InputCosts measure() {
        var costs = new InputCosts();
        for (int round = 0; round < ROUNDS; round++) {
            costs.inputs.forEach((name, input) -> costs.parse(name, input, false));
            costs.proxyHeaders.forEach((name, header) -> costs.parse(name, header, true));
        }
        return costs;
    }

    /** Adds an input of as many units as the usual limits allow. */
    private void add(String name, IntFunction<String> shape) {
        int units = WorkBounds.UNITS;
        while (end(shape.apply(units)).matches("4[13].*")) {
            units /= 2;
        }
        add(name, shape.apply(units));
    }

    private void add(String name, String text) {
        for (String end : ENDS) {
            String whole = text + end;
            if (end(whole).isEmpty()) {
                put(name, whole.repeat(Math.max(1, Workloads.BUFFER / whole.length())));
                return;
            }
        }
        if (text.length() >= LONG) {
            put(name, text);
        }
    }

    /** How parsing a text ends: with nothing left, inside a request, or with a refusal. */
    private static String end(String text) {
        return ParserRun.whole(Workloads.USUAL, WorkBounds.bytes(text)).end();
    }

    private void put(String name, String text) {
        byte[] bytes = WorkBounds.bytes(text);
        inputs.put(name, Arrays.copyOf(bytes, Math.min(bytes.length, Workloads.BUFFER)));
    }

    private void parse(String name, byte[] input, boolean proxied) {
        var limits = new RequestParser.Limits(1 << 20, 1 << 15, 100, proxied, new Budget(1 << 30));
        var parser = new RequestParser(limits, null);
        long began = THREADS.getCurrentThreadCpuTime();
        try {
            for (int from = 0; from < input.length; from += scratch.length) {
                int length = Math.min(scratch.length, input.length - from);
                parser.receive(ByteBuffer.wrap(input, from, length), scratch);
                while (ParserRun.next(parser) != null) {
                    // the request is of no interest
                }
                parser.keep(scratch);
            }
        } catch (RefusalException e) {
            parser.drop();
        }
        double cost = (double) (THREADS.getCurrentThreadCpuTime() - began) / input.length;
        costs.merge(name, cost, Math::min);
    }

    public static void main(String[] arguments) {
        InputCosts costs = measure();
        List<String> worst = costs.costs.keySet().stream()
                .sorted(Comparator.comparing(costs::ratio).reversed()).toList();
        System.out.println("The worst of " + worst.size() + " inputs:");
        worst.stream().limit(10).map(costs::line).forEach(System.out::println);
        List<String> excessive = worst.stream().filter(costs::isExcessive).map(costs::line).toList();
        assertEquals("", String.join("\n", excessive), "inputs cost too much");
    }

    /** The cost of an input, divided by that of one-byte chunks. */
    private double ratio(String name) {
        return costs.get(name) / costs.get(ONE_BYTE_CHUNKS);
    }

    private boolean isExcessive(String name) {
        return ratio(name) > (name.contains("trailer") ? 2 : 4);
    }

    private String line(String name) {
        return String.format(Locale.ROOT, "%5.1f ns per byte, %4.1f times one-byte chunks: %s",
                costs.get(name), ratio(name), name);
    }
}
