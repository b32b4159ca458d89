package org.microhttp.checks.documents;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.microhttp.testing.Readme;

/**
 * What programs could see of the original microhttp, so that code that was written for it compiles: the file
 * {@code original.txt} has its types and signatures. There is nothing behind them.
 *
 * @param minor the version behind "0."
 */
record OriginalApi(int minor) {

    static final int FIRST = 2;
    static final int LAST = 11;

    private static final String FILE =
            Readme.read(Readme.ROOT.resolve("examples/checks/src/test/resources/original.txt"));

    /** The first and the last version of a type, or, behind spaces, of a member of the type above. */
    private static final Pattern LINE = Pattern.compile("(?m)^(\\d+)-(\\d+) ( *)(.*)$");
    private static final Pattern TYPE = Pattern.compile(".*?(?:class|interface|record) (\\w+).*");
    private static final String HEAD = "package org.microhttp; import java.io.IOException; "
            + "import java.time.Duration; import java.util.List; import java.util.function.Consumer;\n";

    /** The sources, by the simple name of their type. */
    Map<String, String> sources() {
        var sources = new TreeMap<String, String>();
        String type = "";
        for (MatchResult line : LINE.matcher(FILE).results().toList()) {
            boolean isLater = minor > Integer.parseInt(line.group(2));
            if (isLater || minor < Integer.parseInt(line.group(1))) continue;
            String text = line.group(4);
            if (line.group(3).isEmpty()) {
                type = TYPE.matcher(text).replaceFirst("$1");
                sources.put(type, HEAD + text + " {\n");
            } else {
                String member = text.replaceFirst("^((?:public|static) .*);$", "$1 { throw null; }");
                sources.merge(type, member + "\n", String::concat);
            }
        }
        sources.replaceAll((name, source) -> source + "}");
        return sources;
    }
}
