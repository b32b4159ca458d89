package org.microhttp.tools.commandline;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flags that were given, with their values. As is the custom, a value is the next argument, or follows in
 * the same one: {@code --port 80}, {@code --port=80}, {@code -p 80}, {@code -p80}. Letters without a value
 * may stand together: {@code -mvv}. What is wrong is an {@link IllegalArgumentException} that says so.
 */
public final class CommandLine {

    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(us|ms|s|m|h)");

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS);

    private static final Duration LONGEST = Duration.ofHours(24);

    private final Map<Flag, List<String>> given = new HashMap<>();
    private final Flags flags;
    private final String[] arguments;
    private int next;

    public CommandLine(Flags flags, String... arguments) {
        this.flags = flags;
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
        if (flag.takesValue()) {
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
            if (flag.takesValue()) {
                String rest = argument.substring(i + 1);
                add(flag, rest.isEmpty() ? takeValue(flag) : rest);
                return;
            }
            add(flag, "");
        }
    }

    private Flag find(String name) {
        Flag flag = flags.find(name).orElseThrow(
                () -> new IllegalArgumentException(name + " is no flag; --help lists them"));
        if (flag.kind() == Flag.Kind.REFUSED) {
            throw new IllegalArgumentException(flag + " is not available: " + flag.meaning());
        }
        return flag;
    }

    private String takeValue(Flag flag) {
        if (next == arguments.length) {
            throw new IllegalArgumentException(flag + " needs a value: " + flag.value());
        }
        return arguments[next++];
    }

    private void add(Flag flag, String value) {
        // where the locale has no such character, the bytes that were typed are lost
        if (value.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException(flag + " has a character that this locale has not;"
                    + " take one of UTF-8, as by LC_ALL=C.UTF-8");
        }
        List<String> values = given.computeIfAbsent(flag, key -> new ArrayList<>());
        values.add(value);
        if (values.size() > 1 && flag.kind() != Flag.Kind.REPEATED) {
            throw new IllegalArgumentException(flag + " is given twice");
        }
    }

    public boolean has(Flag flag) {
        return given.containsKey(flag);
    }

    /** The values of a flag in their order; empty if it was not given. */
    public List<String> all(Flag flag) {
        return given.getOrDefault(flag, List.of());
    }

    /** The first value of a flag. */
    public String get(Flag flag, String otherwise) {
        return has(flag) ? given.get(flag).get(0) : otherwise;
    }

    /** The value of a flag that must be given. */
    public String required(Flag flag) {
        if (!has(flag)) {
            throw new IllegalArgumentException(
                    flag + " " + flag.value() + " must be given: " + flag.meaning());
        }
        return get(flag, "");
    }

    /** The value of a flag that takes a number, which is checked; what is given otherwise is not. */
    public int number(Flag flag, int otherwise, int least, int most) {
        if (!has(flag)) {
            return otherwise;
        }
        String text = get(flag, "");
        boolean digits = text.matches("[0-9]{1,10}");
        boolean valid = digits && Long.parseLong(text) >= least && Long.parseLong(text) <= most;
        check(valid, flag, text, least + " to " + most);
        return Integer.parseInt(text);
    }

    /** The value of a flag that takes a time of up to 24 hours, as {@code 500us}, which is checked. */
    public Duration time(Flag flag, Duration otherwise) {
        if (!has(flag)) {
            return otherwise;
        }
        String text = get(flag, "");
        Duration time = time(text);
        check(time != null, flag, text, "0us to 24h, in us, ms, s, m or h, as in 500us");
        return time;
    }

    /** A time as flags take it; null if the text is none, or more than 24 hours. */
    public static Duration time(String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        Duration time = Duration.of(Long.parseLong(parts.group(1)), UNITS.get(parts.group(2)));
        return time.compareTo(LONGEST) <= 0 ? time : null;
    }

    /** Refuses a value that is not valid, with a message of flag, value, and what is allowed. */
    public static void check(boolean valid, Flag flag, String value, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(flag + " is \"" + value + "\"; allowed: " + allowed);
        }
    }
}
