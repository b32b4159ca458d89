package responseserver;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The flags that were given, with their values. As is the custom, a value is the next argument, or follows in
 * the same one: {@code --port 80}, {@code --port=80}, {@code -p 80}, {@code -p80}. Letters without a value
 * may stand together: {@code -mvv}. What is wrong is an {@link IllegalArgumentException} that says so.
 */
final class CommandLine {

    private final Map<Flag, List<String>> given = new EnumMap<>(Flag.class);
    private final String[] arguments;
    private int next;

    CommandLine(String... arguments) {
        this.arguments = arguments;
        while (next < arguments.length) {
            String argument = arguments[next++];
            if (argument.startsWith("--")) {
                readLong(argument);
            } else if (argument.startsWith("-") && argument.length() > 1) {
                readLetters(argument);
            } else {
                throw new IllegalArgumentException("\"" + argument + "\" is no flag; --help lists them");
            }
        }
    }

    private void readLong(String argument) {
        int equals = argument.indexOf('=');
        Flag flag = find(equals < 0 ? argument : argument.substring(0, equals));
        if (!flag.value.isEmpty()) {
            add(flag, equals < 0 ? takeValue(flag) : argument.substring(equals + 1));
        } else if (equals < 0) {
            add(flag, "");
        } else {
            throw new IllegalArgumentException(flag + " takes no value");
        }
    }

    private void readLetters(String argument) {
        for (int i = 1; i < argument.length(); i++) {
            Flag flag = find("-" + argument.charAt(i));
            if (flag.value.isEmpty()) {
                add(flag, "");
            } else {
                String rest = argument.substring(i + 1);
                add(flag, rest.isEmpty() ? takeValue(flag) : rest);
                return;
            }
        }
    }

    private static Flag find(String name) {
        Flag flag = Flag.find(name).orElseThrow(
                () -> new IllegalArgumentException(name + " is no flag; --help lists them"));
        if (flag.refused) {
            throw new IllegalArgumentException(flag + " is not available: " + flag.meaning);
        }
        return flag;
    }

    private String takeValue(Flag flag) {
        if (next == arguments.length) {
            throw new IllegalArgumentException(flag + " needs a value: " + flag.value);
        }
        return arguments[next++];
    }

    private void add(Flag flag, String value) {
        // where the locale has no such character, the octets that were typed are lost
        if (value.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException(flag + " has a character that this locale has not;"
                    + " take one of UTF-8, as by LC_ALL=C.UTF-8");
        }
        List<String> values = given.computeIfAbsent(flag, key -> new ArrayList<>());
        values.add(value);
        if (values.size() > 1 && !flag.isRepeatable()) {
            throw new IllegalArgumentException(flag + " is given twice");
        }
    }

    boolean has(Flag flag) {
        return given.containsKey(flag);
    }

    /** The values of a flag in their order; empty if it was not given. */
    List<String> all(Flag flag) {
        return given.getOrDefault(flag, List.of());
    }

    String get(Flag flag, String otherwise) {
        return has(flag) ? given.get(flag).get(0) : otherwise;
    }
}
