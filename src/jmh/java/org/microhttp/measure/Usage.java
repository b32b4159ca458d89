package org.microhttp.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * How a program is called, and what was given to it. What is wrong with that is told with the usage, and ends
 * the program.
 */
public record Usage(String text) {

    /** Options and their values, in their order, behind other arguments. Help ends the program. */
    public Map<String, String> given(String[] args, int from) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = from; i < args.length; i += 2) {
            if (args[i].equals("--help")) help();
            if (i + 1 == args.length) throw wrong(args[i] + " is alone");
            given.put(args[i], args[i + 1]);
        }
        return given;
    }

    private void help() {
        System.out.print(text);
        System.exit(0);
    }

    /** What was given, to be shown, but for what says where things are on this machine. */
    public static List<String> shown(Map<String, String> given, String... places) {
        return given.entrySet().stream().filter(one -> !List.of(places).contains(one.getKey()))
                .flatMap(one -> Stream.of(one.getKey(), one.getValue())).toList();
    }

    /** Takes an option out of those given, so that what is left in the end is unknown. */
    public static String take(Map<String, String> given, String option, String otherwise) {
        String value = given.remove(option);
        return value == null ? otherwise : value;
    }

    public double number(String number, String pattern) {
        if (!number.matches(pattern)) throw wrong("not a number that is taken here: " + number);
        return Double.parseDouble(number);
    }

    /** What a list separated by commas names; all without one. */
    public <T> List<T> named(String list, T[] all, Function<String, T> find) {
        if (list == null) return List.of(all);
        try {
            return Stream.of(list.split(",")).map(find).toList();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** Ends the program; returns only for the compiler. */
    public IllegalArgumentException wrong(String problem) {
        System.err.println(problem + "\n" + text);
        System.exit(2);
        return new IllegalArgumentException(problem);
    }
}
