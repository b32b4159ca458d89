package org.microhttp.testing;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A change of one class of the library that tests must notice. It finds its place in the compiler's tree and
 * not by a copied line, so that other wording breaks nothing: {@code CLASS[.METHOD] [every] KIND [NAME] [with
 * TEXT] => CODE}. {@code with} asks for a text in the place, {@code every} allows several places. Kinds:
 * <pre>
 *   check CODE        the check of a refusal, for which CODE may also be: never, always, ignored
 *   call NAME[/COUNT] a call, with that many arguments
 *   literal [TEXT]    a literal as it is written
 *   select NAME       the use of another object's field
 *   argument NAME     a name that is an argument
 *   set NAME          the value that a variable or field is set to
 *   field NAME        the value that a field begins with
 *   op SYMBOL         an operation
 *   choice NAME       the condition of a ?: that has this name as an outcome
 *   if                the condition of an if
 *   return            what a method returns
 *   body              the beginning of a method
 * </pre>
 * In the new code {@code $} is the old one, {@code $0} the receiver of a call, {@code $1} the first argument
 * or operand, {@code #1} the first parameter of the method around it, {@code @Type} the field of that type.
 *
 * @param type  the simple name of the class
 * @param place where in it
 * @param code  what is there then
 */
public record Mutation(String type, String place, String code) {

    private static final Pattern LINE = Pattern.compile("(\\w+)(?=[. ])(.+?) => ?(.*)");
    private static final Pattern HOLE = Pattern.compile("\\$(\\d?)|#(\\d)|@([\\w\\[\\]]+)");
    private static final Map<String, String> WORDS = Map.of("never", "", "always", "$0.refuseIf(true)",
            "ignored", "try { $; } catch (RefusalException e) { return; }");

    /** Reads one as it is written above. */
    public static Mutation parse(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) throw new IllegalArgumentException("not CLASS PLACE => CODE: " + line);
        String code = parts.group(3);
        return new Mutation(parts.group(1), parts.group(2), WORDS.getOrDefault(code, code));
    }

    /**
     * Changes the source of the class.
     *
     * @throws IllegalArgumentException if the place is not there, or is there several times
     */
    public String applyTo(String source) {
        var search = new MutationSearch(source, place);
        List<MutationSearch.Found> found = search.found();
        if (found.isEmpty() || found.size() > 1 && !place.contains(" every ")) {
            throw new IllegalArgumentException(found.size() + " places in the source are " + type + place);
        }
        var text = new StringBuilder(source);
        found.stream().sorted((a, b) -> b.from() - a.from())
                .forEach(at -> text.replace(at.from(), at.to(), filled(at, search)));
        if (text.toString().equals(source)) throw new IllegalArgumentException("changes nothing: " + this);
        return text.toString();
    }

    /** Returns the new code; what follows a {@code !} is in parentheses, so that all of it is negated. */
    private String filled(MutationSearch.Found at, MutationSearch search) {
        String filled = holesFilled(at, search);
        return at.from() > 0 && search.source.charAt(at.from() - 1) == '!' ? "(" + filled + ")" : filled;
    }

    private String holesFilled(MutationSearch.Found at, MutationSearch search) {
        return HOLE.matcher(code).replaceAll(hole -> Matcher.quoteReplacement(
                hole.group(3) != null ? search.fieldOf(hole.group(3))
                : hole.group(2) != null ? at.parameters().get(Integer.parseInt(hole.group(2)) - 1)
                : hole.group(1).isEmpty() ? at.text() : at.parts().get(Integer.parseInt(hole.group(1)))));
    }

    @Override
    public String toString() {
        return type + place + " => " + code;
    }
}
