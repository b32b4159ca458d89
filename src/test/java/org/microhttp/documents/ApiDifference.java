package org.microhttp.documents;

import static java.util.stream.Collectors.toSet;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What differs between two lists of the API.
 *
 * @param before the lines of the earlier
 * @param now    those of the later
 */
record ApiDifference(List<String> before, List<String> now) {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static List<String> without(List<String> lines, List<String> others) {
        return lines.stream().filter(line -> !others.contains(line)).toList();
    }

    /** Every line that differs, with a minus where it is gone, and a plus where it is new. */
    Stream<String> lines() {
        return Stream.concat(without(before, now).stream().map(line -> "- " + line),
                without(now, before).stream().map(line -> "+ " + line));
    }

    /**
     * Those of these lines of which a text does not tell. It has to name each in code, with the types of its
     * parameters; of a type that is new or gone, with all that is in it, the type alone.
     */
    List<String> unnamed(String text) {
        Set<String> named = CODE.matcher(text.replaceAll("\\s+", " ")).results()
                .map(code -> code.group(1)).collect(toSet());
        Set<String> whole = wholeTypes();
        return lines().filter(line -> {
            String name = ApiList.nameOf(line.substring(2));
            boolean within = whole.stream().anyMatch(type -> named.contains(type)
                    && (name.startsWith(type + ".") || name.startsWith(type + "(")));
            return !named.contains(name) && !within;
        }).toList();
    }

    /** The types that only one of the lists has. */
    private Set<String> wholeTypes() {
        Set<String> earlier = types(before);
        Set<String> later = types(now);
        return Stream.concat(earlier.stream(), later.stream())
                .filter(type -> !earlier.contains(type) || !later.contains(type)).collect(toSet());
    }

    private static Set<String> types(List<String> lines) {
        return lines.stream().filter(ApiList::declaresType).map(ApiList::nameOf).collect(toSet());
    }

    /** Whether a program that was written before may not compile any more; an annotation breaks none. */
    boolean breaksPrograms() {
        Set<String> earlier = plain(before);
        Set<String> later = plain(now);
        Set<String> types = types(before);
        boolean asksForMore = later.stream().filter(line -> !earlier.contains(line))
                .filter(line -> line.contains(" abstract ")).map(ApiList::nameOf)
                .anyMatch(name -> types.stream().anyMatch(type -> name.startsWith(type + ".")));
        return !later.containsAll(earlier) || asksForMore;
    }

    private static Set<String> plain(List<String> lines) {
        return lines.stream().map(line -> line.replaceFirst("^(?:@\\w+ )+", "")).collect(toSet());
    }

    /** The least version that may follow the one before. */
    String leastVersion(String last) {
        int[] numbers = numbers(last);
        if (breaksPrograms()) return numbers[0] + 1 + ".0.0";
        if (lines().findAny().isPresent()) return numbers[0] + "." + (numbers[1] + 1) + ".0";
        return numbers[0] + "." + numbers[1] + "." + (numbers[2] + 1);
    }

    static boolean isAtLeast(String version, String least) {
        return Arrays.compare(numbers(version), numbers(least)) >= 0;
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }
}
