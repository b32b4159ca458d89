package org.microhttp.extras.routing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.extras.representation.UrlDecoding;

/**
 * A path with variables, such as {@code /notes/{id:number}}. Each segment is a text or a variable. A variable
 * matches any segment that is not empty, or only numbers. Templates are ordered from the left, the more
 * specific first: a text, then a number, then any other variable.
 */
final class PathTemplate implements Comparable<PathTemplate> {

    private static final Pattern VARIABLE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9]*)(:number)?}");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    /** These sort after each text, and {@code ANY} after {@code NUMBER}. */
    private static final String NUMBER = "\uFFFF", ANY = "\uFFFF\uFFFF";

    /** The decoded text of each segment, {@link #NUMBER} or {@link #ANY}. */
    private final List<String> segments = new ArrayList<>();

    /** The name of each variable, by the index of its segment. */
    private final Map<Integer, String> variables = new HashMap<>();

    /** The names of the variables that match only numbers. */
    private final Set<String> numbers = new HashSet<>();

    /** @throws IllegalArgumentException if the text is no template */
    PathTemplate(String text) {
        check(text.startsWith("/"), text);
        for (String segment : text.substring(1).split("/", -1)) {
            Matcher variable = VARIABLE.matcher(segment);
            if (variable.matches()) {
                check(!variables.containsValue(variable.group(1)), text);
                variables.put(segments.size(), variable.group(1));
                boolean number = variable.group(2) != null;
                if (number) {
                    numbers.add(variable.group(1));
                }
                segments.add(number ? NUMBER : ANY);
            } else {
                check(segment.indexOf('{') < 0 && segment.indexOf('}') < 0, text);
                segments.add(UrlDecoding.decode(segment));
            }
        }
    }

    private static void check(boolean valid, String text) {
        if (!valid) {
            throw new IllegalArgumentException("a template is \"" + text + "\"; allowed: a path such as"
                    + " /notes/{id} or /notes/{id:number}, whose segments are texts or variables of"
                    + " different names");
        }
    }

    /** {@return the decoded value of each variable; null if the path does not match} */
    PathVariables match(List<String> path) {
        if (path.size() != segments.size()) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String variable = variables.get(i);
            if (!fits(path.get(i), segments.get(i), variable)) {
                return null;
            }
            if (variable != null) {
                values.put(variable, path.get(i));
            }
        }
        return new PathVariables(values, numbers);
    }

    private boolean fits(String given, String segment, String variable) {
        if (variable == null) {
            return given.equals(segment);
        }
        return numbers.contains(variable) ? isNumber(given) : !given.isEmpty();
    }

    /** Long.parseLong alone would also take a sign, and digits of other alphabets. */
    private static boolean isNumber(String text) {
        try {
            return DIGITS.matcher(text).matches() && Long.parseLong(text) >= 0;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Equal templates match the same paths. */
    @Override
    public int compareTo(PathTemplate other) {
        for (int i = 0; i < Math.min(segments.size(), other.segments.size()); i++) {
            int order = segments.get(i).compareTo(other.segments.get(i));
            if (order != 0) {
                return order;
            }
        }
        return segments.size() - other.segments.size();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathTemplate template && compareTo(template) == 0;
    }

    @Override
    public int hashCode() {
        return segments.hashCode();
    }
}
