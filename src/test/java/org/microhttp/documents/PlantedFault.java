package org.microhttp.documents;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.microhttp.tools.Readme;

/**
 * A fault to plant in the library, which breaks one requirement: lines that take the place of others. The
 * file {@code planted.txt} has them as
 * <pre>
 *   == 9112 2.2 ¶4
 *   File.java
 *   - what is there, once
 *   + what is there then
 * </pre>
 *
 * @param paragraph of the requirement
 * @param file      a source of the library
 */
record PlantedFault(String paragraph, String file, String old, String planted) {

    private static final Path FILE = Readme.ROOT.resolve("src/test/resources/planted.txt");
    private static final Path SOURCES = Readme.ROOT.resolve("src/main/java/org/microhttp");

    /** All that there are, in their order. */
    static List<PlantedFault> all() {
        List<PlantedFault> all = new ArrayList<>();
        for (String block : Readme.read(FILE).split("(?m)^== ")) {
            if (block.startsWith("#")) continue;
            List<String> lines = block.lines().toList();
            all.add(new PlantedFault(lines.get(0), lines.get(1), marked(lines, '-'), marked(lines, '+')));
        }
        return all;
    }

    /** Behind the mark there is a space, unless there is nothing. */
    private static String marked(List<String> lines, char mark) {
        return String.join("\n", lines.stream().filter(line -> !line.isEmpty() && line.charAt(0) == mark)
                .map(line -> line.substring(Math.min(2, line.length()))).toList());
    }

    private String source() {
        return Readme.read(SOURCES.resolve(file));
    }

    /** How often that which is replaced is there. */
    int occurrences() {
        return source().split(Pattern.quote(old), -1).length - 1;
    }

    /** The source with the fault. */
    String plantedSource() {
        return source().replace(old, planted);
    }
}
