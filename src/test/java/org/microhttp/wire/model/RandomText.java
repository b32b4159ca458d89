package org.microhttp.wire.model;

import java.util.*;

/**
 * Random pieces of HTTP's grammar, each legal for what its name says. A character stands for the byte of
 * its number (ISO-8859-1).
 */
public final class RandomText {

    static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static final String DIGITS = "0123456789";
    static final String HEX = "0123456789abcdefABCDEF";
    static final String TOKEN = "!#$%&'*+-.^_`|~" + DIGITS + LETTERS;
    static final String REG_NAME = "-._~!$&'()*+;=" + DIGITS + LETTERS;
    static final String VISIBLE = range('!', '~');
    static final String TEXT = VISIBLE + " \t" + range(0x80, 0xFF);

    private RandomText() {
    }

    private static String range(int first, int last) {
        var text = new StringBuilder();
        for (int c = first; c <= last; c++) {
            text.append((char) c);
        }
        return text.toString();
    }

    public static boolean chance(SplittableRandom random, int percent) {
        return random.nextInt(100) < percent;
    }

    static String pick(SplittableRandom random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** From {@code min} to {@code max} characters of an alphabet. */
    static String of(SplittableRandom random, String alphabet, int min, int max) {
        int length = min + random.nextInt(max - min + 1);
        var text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    static String bytes(SplittableRandom random, int length) {
        var text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(256));
        }
        return text.toString();
    }

    static String token(SplittableRandom random) {
        return of(random, TOKEN, 1, chance(random, 5) ? 40 : 8);
    }

    /** OWS and BWS: often none or one space, sometimes more. */
    static String space(SplittableRandom random) {
        return chance(random, 70) ? pick(random, "", " ") : of(random, " \t", 0, 4);
    }

    static String anyCase(SplittableRandom random, String word) {
        int style = random.nextInt(4);
        if (style == 0) {
            return word;
        }
        var text = new StringBuilder();
        for (char c : word.toCharArray()) {
            boolean upper = style == 1 || style == 2 && random.nextBoolean();
            text.append(upper ? Character.toUpperCase(c) : Character.toLowerCase(c));
        }
        return text.toString();
    }

    /**
     * A field value: no white space around it, any inside, bytes from 0x80 included, often empty or short.
     */
    static String fieldValue(SplittableRandom random) {
        String alphabet = pick(random, VISIBLE, VISIBLE, TEXT, "ab ,;=\t\"\\:\u00E9\u00FF");
        String value = of(random, alphabet, 0, chance(random, 5) ? 200 : 20);
        int from = 0;
        int to = value.length();
        while (from < to && " \t".indexOf(value.charAt(from)) >= 0) {
            from++;
        }
        while (to > from && " \t".indexOf(value.charAt(to - 1)) >= 0) {
            to--;
        }
        return value.substring(from, to);
    }

    /** A target in one of the forms that are served: origin, absolute, asterisk. */
    static String target(SplittableRandom random, String method) {
        if (method.equals("OPTIONS") && random.nextBoolean()) {
            return "*";
        }
        String path = "/" + of(random, VISIBLE, 0, chance(random, 5) ? 300 : 12);
        if (chance(random, 70)) {
            return path;
        }
        String scheme = chance(random, 70) ? anyCase(random, pick(random, "http", "https"))
                : of(random, LETTERS, 1, 1) + of(random, LETTERS + DIGITS + "+-.", 0, 6);
        String query = pick(random, "?", "#") + of(random, VISIBLE, 0, 8);
        return scheme + "://" + authority(random) + pick(random, "", path, query);
    }

    /** uri-host [ ":" port ] */
    static String authority(SplittableRandom random) {
        String host = switch (random.nextInt(5)) {
            case 0 -> address4(random);
            case 1 -> "[" + address6(random) + "]";
            case 2 -> of(random, LETTERS + DIGITS + "-.", 1, 12);
            case 3 -> "[v" + of(random, HEX, 1, 2) + "." + of(random, REG_NAME + ":", 1, 8) + "]";
            default -> of(random, REG_NAME, 0, 6) + "%" + of(random, HEX, 2, 2) + of(random, REG_NAME, 0, 6);
        };
        String port = Integer.toString(random.nextInt(65_536));
        return host + pick(random, "", "", ":", ":80", ":0", ":65535", ":008080", ":" + port);
    }

    private static String address4(SplittableRandom random) {
        return random.nextInt(256) + "." + random.nextInt(256) + "."
                + random.nextInt(256) + "." + random.nextInt(256);
    }

    /** Eight groups, the last two as IPv4 perhaps, and "::" in place of one or more. */
    private static String address6(SplittableRandom random) {
        boolean dotted = chance(random, 30);
        boolean gap = chance(random, 70);
        int most = dotted ? 6 : 8;
        int groups = gap ? random.nextInt(most) : most;
        List<String> left = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            left.add(of(random, HEX, 1, 4));
        }
        int cut = gap ? random.nextInt(groups + 1) : 0;
        List<String> right = new ArrayList<>(left.subList(cut, groups));
        if (dotted) {
            right.add(address4(random));
        }
        String end = String.join(":", right);
        return gap ? String.join(":", left.subList(0, cut)) + "::" + end : end;
    }
}
