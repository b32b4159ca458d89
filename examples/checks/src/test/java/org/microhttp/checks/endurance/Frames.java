package org.microhttp.checks.endurance;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.microhttp.extras.testing.DrawnFrames;
import org.microhttp.extras.websocket.ReadFrames;
import org.microhttp.testing.Programs;
import org.microhttp.testing.Readme;

/**
 * {@code [cases] [seed]}. Drawn frames of clients, which the package {@code websocket} has to judge as
 * Python's {@code websockets} does: the same messages, and the same code for what is wrong. That package has
 * to be installed for {@code python3}.
 */
final class Frames {

    private static final int CASES = 1_000_000;
    private static final int SHOWN = 10;

    private final TreeMap<String, Integer> ends = new TreeMap<>();
    private int differences;

    private Frames() {
    }

    static void run(Report report, String... arguments) throws Exception {
        int cases = Programs.number(arguments, 0, CASES);
        long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : System.nanoTime();
        System.out.println("seed " + seed);
        var frames = new Frames();
        frames.compare(cases, seed);
        System.out.printf("%,d cases, %,d differences; how they end: %s%n", cases, frames.differences,
                frames.ends);
        report.check(frames.differences == 0, "frames", frames.differences + " are judged otherwise");
    }

    private void compare(int cases, long seed) throws IOException, InterruptedException {
        String script = Readme.ROOT.resolve("examples/checks/src/test/resources/frames.py").toString();
        Process python = new ProcessBuilder("python3", script, "" + DrawnFrames.LIMIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var sender = new Thread(() -> send(python, cases, seed));
        sender.start();
        try (BufferedReader lines = python.inputReader()) {
            for (int i = 0; i < cases; i++) {
                compareOne(seed + i, lines.readLine());
            }
        }
        sender.join();
    }

    private static void send(Process python, int cases, long seed) {
        try (var out = new DataOutputStream(new BufferedOutputStream(python.getOutputStream()))) {
            for (int i = 0; i < cases; i++) {
                byte[] bytes = draw(seed + i);
                out.writeInt(bytes.length);
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] draw(long seed) {
        return DrawnFrames.draw(new SplittableRandom(seed));
    }

    private void compareOne(long seed, String expected) {
        if (expected == null) {
            throw new IllegalStateException("python3 has ended; it needs the package websockets");
        }
        byte[] bytes = draw(seed);
        var cuts = new SplittableRandom(~seed);
        int[] places = cuts.ints(cuts.nextInt(4), 0, bytes.length + 1).sorted().toArray();
        List<String> words = untilClose(ReadFrames.of(bytes, DrawnFrames.LIMIT, places));
        String last = words.isEmpty() ? "nothing" : words.get(words.size() - 1);
        ends.merge(last.startsWith("!") ? last : last.replaceFirst(":.*", ""), 1, Integer::sum);
        if (!expected.equals(String.join(" ", words))) {
            differences++;
            if (differences <= SHOWN) {
                System.out.printf("seed %d: %s%n  not as websockets says: %s%n", seed, words, expected);
            }
        }
    }

    /** What comes after a Close frame is not looked at (RFC 6455 §1.4), which is not up to the reader. */
    private static List<String> untilClose(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).startsWith("8:")) {
                return words.subList(0, i + 1);
            }
        }
        return words;
    }
}
