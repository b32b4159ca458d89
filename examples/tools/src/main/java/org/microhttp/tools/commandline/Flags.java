package org.microhttp.tools.commandline;

import java.util.List;
import java.util.Optional;

/** The flags of a program, in the order of its help. */
public record Flags(String program, List<Flag> all) {

    private static final int NAMES_WIDTH = 26;

    /** Finds a flag by its letter or its name, both with their dashes. */
    Optional<Flag> find(String letterOrName) {
        return all.stream()
                .filter(flag -> flag.name().equals(letterOrName) || flag.letter().equals(letterOrName))
                .findFirst();
    }

    /**
     * The help: a line for each flag that is not refused.
     *
     * @param others of this program, as {@code "FileServer compress"}, which have flags of their own
     */
    public String help(String... others) {
        var help = new StringBuilder("usage: " + program + " [FLAGS]\n");
        for (String other : others) {
            help.append("       ").append(other).append(" [FLAGS]\n");
        }
        for (Flag flag : all) {
            if (flag.kind() != Flag.Kind.REFUSED) {
                appendLine(help, flag);
            }
        }
        return help.toString();
    }

    private static void appendLine(StringBuilder help, Flag flag) {
        String letter = flag.letter().isEmpty() ? "   " : flag.letter() + ",";
        String value = flag.takesValue() ? " " + flag.value() : "";
        String names = letter + " " + flag.name() + value;
        help.append("  ").append(names);
        if (names.length() <= NAMES_WIDTH) {
            help.append(" ".repeat(NAMES_WIDTH - names.length()));
        } else {
            help.append("\n  ").append(" ".repeat(NAMES_WIDTH));
        }
        help.append("  ").append(flag.meaning())
                .append(flag.kind() == Flag.Kind.REQUIRED ? "; must be given\n" : "\n");
    }
}
