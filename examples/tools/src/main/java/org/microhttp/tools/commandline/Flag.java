package org.microhttp.tools.commandline;

/**
 * A flag of a program.
 *
 * @param letter  as {@code -p}; empty if it has none
 * @param name    as {@code --port}
 * @param value   what the help calls its value; empty if it takes none
 * @param meaning a line of the help; of a flag that is refused, why it is
 */
public record Flag(String letter, String name, String value, String meaning, Kind kind) {

    /** How often a flag is given: at most once, just once, any number of times, never. */
    public enum Kind { ONCE, REQUIRED, REPEATED, REFUSED }

    public static Flag of(String letter, String name, String value, String meaning) {
        return new Flag(letter, name, value, meaning, Kind.ONCE);
    }

    /** A flag that users may expect of such a program, but that it has not: its use is answered with why. */
    public static Flag refused(String name, String why) {
        return new Flag("", name, "", why, Kind.REFUSED);
    }

    /** The same flag, without which the program does nothing; {@link CommandLine#required} reads it. */
    public Flag required() {
        return new Flag(letter, name, value, meaning, Kind.REQUIRED);
    }

    /** The same flag, for any number of times. */
    public Flag repeated() {
        return new Flag(letter, name, value, meaning, Kind.REPEATED);
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    /** The name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
