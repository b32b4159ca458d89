package org.microhttp.tools.sitearchive.making;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;
import org.microhttp.extras.representation.PathPattern;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.sitearchive.format.Metadata;

/**
 * Fields of answers by the paths of their files, as the lines of a file have them: a pattern, the name of a
 * field, and its value, which is the rest of the line. A line that is empty or begins with {@code #} is none.
 * Of the lines with one name the first that fits is taken.
 */
final class FieldRules {

    /** What follows from the file, and from the flags that choose it. */
    private static final Set<String> OF_ARCHIVE =
            Set.of("content-encoding", "content-type", "etag", "last-modified", "location", "vary");

    private static final Pattern LINE = Pattern.compile("[ \t]*([^ \t]+)[ \t]+([^ \t]+)[ \t]+(.*?)[ \t]*");

    private static final String FORM = "PATTERN NAME VALUE, as in *.html Cache-Control no-cache";

    private record Rule(PathPattern path, Header field) {
    }

    private final List<Rule> rules = new ArrayList<>();

    private FieldRules() {
    }

    /** Those of the file that a flag names, or none. */
    static FieldRules of(CommandLine line) {
        var rules = new FieldRules();
        if (line.has(ArchiveFlags.HEADERS)) {
            String file = line.get(ArchiveFlags.HEADERS, "");
            byte[] bytes = InputFile.read(ArchiveFlags.HEADERS, file);
            for (SettingLine each : SettingLine.all(ArchiveFlags.HEADERS + " is \"" + file + "\"", bytes)) {
                rules.rules.add(rule(each));
            }
        }
        return rules;
    }

    private static Rule rule(SettingLine line) {
        Matcher parts = LINE.matcher(line.text());
        boolean whole = parts.matches() && !parts.group(3).isEmpty();
        line.check(whole, "\"" + line.text() + "\"", FORM);
        String name = parts.group(2);
        String named = "NAME \"" + name + "\"";
        line.check(Metadata.isName(name), named, "the name of a field, without a colon");
        line.check(!Metadata.isOfServer(name), named, "no field that the server makes for each answer");
        line.check(!OF_ARCHIVE.contains(name.toLowerCase(Locale.ROOT)), named,
                "no field that follows from the file; Content-Type does by " + ArchiveFlags.MIME_TYPES);
        line.check(Metadata.isValue(parts.group(3)), "VALUE \"" + parts.group(3) + "\"",
                "a value of visible ASCII and blanks");
        return new Rule(new PathPattern(parts.group(1)), new Header(name, parts.group(3)));
    }

    /**
     * The fields for a path.
     *
     * @param path from the root of its site on
     * @param name the same, with the host in front if there are hosts
     */
    List<Header> of(String path, String name) {
        List<Header> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            boolean fits = rule.path.matches(path) || rule.path.matches(name);
            if (fits && names.add(rule.field.name().toLowerCase(Locale.ROOT))) {
                fields.add(rule.field);
            }
        }
        return fields;
    }
}
