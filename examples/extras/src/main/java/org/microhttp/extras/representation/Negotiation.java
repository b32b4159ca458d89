package org.microhttp.extras.representation;

import java.util.List;

/**
 * Reads Accept-Encoding, and chooses a variant by it (RFC 9110 §12.5.3). A weight of 0 excludes a coding, and
 * any other weight admits it. The smallest admitted variant is chosen, since all variants have the same
 * content. A coding that is both excluded and admitted is excluded. Malformed elements are ignored.
 */
final class Negotiation {

    private static final Coding[] CODINGS = Coding.values();

    /** The old name of gzip (RFC 9110 §8.4.1.3). */
    private static final String X_GZIP = "x-gzip";

    /** The asterisk's bit; the bit of a coding is that of its ordinal. */
    private static final int ANY = 1 << CODINGS.length;

    private final String field;
    private int admitted;
    private int excluded;

    private Negotiation(String field) {
        this.field = field;
        int at = 0;
        while (at < field.length()) {
            int comma = field.indexOf(',', at);
            int end = comma < 0 ? field.length() : comma;
            readElement(at, end);
            at = end + 1;
        }
    }

    /**
     * Chooses a variant.
     *
     * @param field the value of Accept-Encoding; null if there is none: then any coding may be sent, but
     *              identity is preferred
     * @return null if the client accepts none
     */
    static Variant choose(List<Variant> variants, String field) {
        var negotiation = new Negotiation(field == null ? "" : field);
        Variant best = negotiation.smallest(variants);
        return best == null && field == null ? new Negotiation("*").smallest(variants) : best;
    }

    private Variant smallest(List<Variant> variants) {
        Variant best = null;
        // by index: this is on the path of every request
        for (int i = 0; i < variants.size(); i++) {
            Variant variant = variants.get(i);
            if (admits(variant.coding()) && (best == null || isBefore(variant, best))) {
                best = variant;
            }
        }
        return best;
    }

    private static boolean isBefore(Variant variant, Variant other) {
        return variant.length() == other.length()
                ? variant.coding().compareTo(other.coding()) < 0
                : variant.length() < other.length();
    }

    /** The asterisk decides on codings that are not named; without an asterisk only identity is admitted. */
    private boolean admits(Coding coding) {
        int bit = 1 << coding.ordinal();
        if (((admitted | excluded) & bit) != 0) {
            return (excluded & bit) == 0;
        }
        if (((admitted | excluded) & ANY) != 0) {
            return (excluded & ANY) == 0;
        }
        return coding == Coding.IDENTITY;
    }

    // codings [ weight ], codings = content-coding / "identity" / "*" (RFC 9110 §12.5.3)
    private void readElement(int from, int to) {
        // indexOf would search beyond the element, again for each element
        int end = from;
        while (end < to && field.charAt(end) != ';') {
            end++;
        }
        int first = skip(from, end);
        int bit = bit(first, trim(first, end));
        if (end == to) {
            admitted |= bit;
            return;
        }
        int weight = skip(end + 1, to);
        int weightEnd = trim(weight, to);
        if (isWeight(weight, weightEnd)) {
            boolean zero = isZero(weight + 2, weightEnd);
            admitted |= zero ? 0 : bit;
            excluded |= zero ? bit : 0;
        }
    }

    private int bit(int from, int to) {
        for (Coding coding : CODINGS) {
            if (is(coding.token(), from, to)) {
                return 1 << coding.ordinal();
            }
        }
        if (is(X_GZIP, from, to)) {
            return 1 << Coding.GZIP.ordinal();
        }
        return is("*", from, to) ? ANY : 0;
    }

    private boolean is(String token, int from, int to) {
        return to - from == token.length() && field.regionMatches(true, from, token, 0, token.length());
    }

    // "q=" qvalue, qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] ) (RFC 9110 §12.4.2)
    private boolean isWeight(int from, int to) {
        if (to - from < 3 || to - from > 7 || !field.regionMatches(true, from, "q=", 0, 2)) {
            return false;
        }
        char whole = field.charAt(from + 2);
        boolean valid = (whole == '0' || whole == '1') && (to == from + 3 || field.charAt(from + 3) == '.');
        for (int at = from + 4; at < to; at++) {
            char digit = field.charAt(at);
            valid &= digit == '0' || whole == '0' && digit > '0' && digit <= '9';
        }
        return valid;
    }

    private boolean isZero(int from, int to) {
        for (int at = from; at < to; at++) {
            if (field.charAt(at) >= '1') {
                return false;
            }
        }
        return true;
    }

    private int skip(int from, int to) {
        int at = from;
        while (at < to && isSpace(field.charAt(at))) {
            at++;
        }
        return at;
    }

    private int trim(int from, int to) {
        int end = to;
        while (end > from && isSpace(field.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
