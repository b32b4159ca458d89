package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.microhttp.wire.model.Escapes;
import org.microhttp.wire.model.VectorFile;

/**
 * One script of a file in {@code src/test/resources/scripts}: steps of a client, a program and the clock,
 * each with all that it causes. {@code streams.txt} describes the notation; {@link ScriptedProgram} plays it.
 */
record Script(String name, String options, List<String> lines) {

    private static final String CAUSES = " => ";
    private static final Pattern TIMES = Pattern.compile("(\\d+) times: (.*)");

    /** Makes a test of each script in a file. */
    static Stream<DynamicTest> tests(String file) {
        var names = new HashMap<String, String>();
        var scripts = new ArrayList<Script>();
        String text = VectorFile.text("/scripts/" + file).replace("\n    ", " ");
        for (String paragraph : text.split("\n{2,}")) {
            if (paragraph.startsWith("<")) {
                paragraph.lines().map(line -> line.split(" = ", 2)).forEach(one -> names.put(one[0], one[1]));
            } else if (paragraph.startsWith("#")) {
                assertTrue(paragraph.lines().allMatch(line -> line.startsWith("#")), paragraph);
            } else {
                scripts.add(of(paragraph.strip().lines().toList()));
            }
        }
        return scripts.stream().map(script -> DynamicTest.dynamicTest(script.name, () -> script.play(names)));
    }

    private static Script of(List<String> lines) {
        boolean optional = lines.get(1).startsWith("~ ");
        return new Script(lines.get(0), optional ? lines.get(1).substring(2) : "",
                lines.subList(optional ? 2 : 1, lines.size()));
    }

    private void play(Map<String, String> names) throws Exception {
        var played = new ArrayList<String>();
        try (var program = new ScriptedProgram(options)) {
            for (String line : lines) {
                String step = line.split(CAUSES, 2)[0];
                String bytes = step;
                for (Map.Entry<String, String> name : names.entrySet()) {
                    bytes = bytes.replace(name.getKey(), name.getValue());
                }
                String caused = play(program, Escapes.expand(bytes));
                played.add(caused.isEmpty() ? step : step + CAUSES + caused);
            }
            assertEquals(String.join("\n", lines), String.join("\n", played));
            program.checkEnd();
        }
    }

    /** A step that is done several times has the causes of each, where those of a row are the same, once. */
    private static String play(ScriptedProgram program, String step) {
        Matcher times = TIMES.matcher(step);
        if (!times.matches()) return program.step(step);
        var all = new ArrayList<String>();
        String last = null;
        int row = 0;
        for (int i = Integer.parseInt(times.group(1)); i >= 0; i--) {
            String caused = i == 0 ? null : program.step(times.group(2));
            if (row > 0 && !last.equals(caused)) {
                all.add(row + " x " + (last.isEmpty() ? "nothing" : last));
                row = 0;
            }
            last = caused;
            row++;
        }
        return String.join("; ", all);
    }
}
