package org.microhttp.tools.commandline;

import java.util.List;
import java.util.Optional;

/** The flags of a program, in the order of its help. */
public record Flags(String program, List<Flag> all) {

    private static final int NAMES_WIDTH = 26;
    private static final int LINE_WIDTH = 100;
    private static final String INDENT = " ".repeat(NAMES_WIDTH + 4);

    /** Finds a flag by its letter or its name, both with their dashes. */
    Optional<Flag> find(String letterOrName) {
        return all.stream()
                .filter(flag -> flag.name().equals(letterOrName) || flag.letter().equals(letterOrName))
                .findFirst();
    }

    /**
     * The help: each flag that is not refused, in lines of at most {@value #LINE_WIDTH} characters.
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
                append(help, flag);
            }
        }
        return help.toString();
    }

    private static void append(StringBuilder help, Flag flag) {
        String letter = flag.letter().isEmpty() ? "   " : flag.letter() + ",";
        String value = flag.takesValue() ? " " + flag.value() : "";
        String names = "  " + letter + " " + flag.name() + value;
        help.append(names);
        if (names.length() + 2 <= INDENT.length()) {
            help.append(INDENT.substring(names.length()));
        } else {
            help.append('\n').append(INDENT);
        }
        int column = INDENT.length();
        String must = flag.kind() == Flag.Kind.REQUIRED ? "; must be given" : "";
        for (String word : (flag.meaning() + must).split(" ")) {
            boolean first = column == INDENT.length();
            if (!first && column + 1 + word.length() > LINE_WIDTH) {
                help.append('\n').append(INDENT);
                column = INDENT.length();
                first = true;
            }
            help.append(first ? "" : " ").append(word);
            column += (first ? 0 : 1) + word.length();
        }
        help.append('\n');
    }
}
