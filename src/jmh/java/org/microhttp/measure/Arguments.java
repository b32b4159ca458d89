package org.microhttp.measure;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The options of a program, each with a value. What is wrong with them ends the program. */
public final class Arguments {

    private final String usage;
    private final Map<String, String> given = new LinkedHashMap<>();
    private final Set<String> taken = new HashSet<>();

    /** Takes pairs of an option and its value, after other arguments. */
    public Arguments(String usage, List<String> arguments, int from) {
        this.usage = usage;
        for (int i = from; i < arguments.size(); i += 2) {
            if (i + 1 == arguments.size()) throw wrong(arguments.get(i) + " is alone");
            given.put(arguments.get(i), arguments.get(i + 1));
        }
    }

    public String take(String option, String otherwise) {
        taken.add(option);
        return given.getOrDefault(option, otherwise);
    }

    public double number(String option, String otherwise, String pattern) {
        return number(take(option, otherwise), pattern);
    }

    public int integer(String option, String otherwise, String pattern) {
        return (int) number(option, otherwise, pattern);
    }

    public double number(String number, String pattern) {
        if (!number.matches(pattern)) throw wrong("not a number that is taken here: " + number);
        return Double.parseDouble(number);
    }

    /** {@return those that a list names, separated by commas; all without such a list} */
    public List<String> named(String option, String what, List<String> all) {
        List<String> names = List.of(take(option, String.join(",", all)).split(","));
        for (String name : names) {
            if (!all.contains(name)) throw wrong("there is no " + what + " " + name);
        }
        return names;
    }

    /** Ends the program if something was given that nobody has taken. */
    public void end() {
        Set<String> unknown = new HashSet<>(given.keySet());
        unknown.removeAll(taken);
        if (!unknown.isEmpty()) throw wrong("unknown: " + unknown);
    }

    /** Ends the program; returns only for the compiler. */
    public IllegalArgumentException wrong(String problem) {
        System.err.println(problem + "\n" + usage);
        System.exit(2);
        return new IllegalArgumentException(problem);
    }
}
