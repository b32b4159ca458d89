package org.microhttp.extras.representation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One range of bytes that a client asks for (RFC 9110 §14.1.2).
 *
 * @param first where it begins; -1 for the end of the content
 * @param last  where it ends, with this one; or, for the end of the content, how many bytes of it
 */
record ByteRange(long first, long last) {

    // bytes-unit "=" 1#( first-pos "-" [ last-pos ] / "-" suffix-length ) (RFC 9110 §14.1.1, §14.1.2), of
    // which one is taken; the unit in any case (RFC 9110 §14.1); empty elements may be (RFC 9110 §5.6.1.2)
    private static final Pattern ONE =
            Pattern.compile("(?i:bytes)=[, \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[, \t]*");

    private static final Pattern LEADING_ZEROS = Pattern.compile("^0+");

    /** As many digits as every long has. */
    private static final int MAX_DIGITS = 18;

    /** The range of a field; null if it is of several, of another unit, or malformed. */
    static ByteRange parse(String field) {
        Matcher one = ONE.matcher(field);
        if (!one.matches()) {
            return null;
        }
        if (one.group(1) == null) {
            return new ByteRange(-1, number(one.group(3)));
        }
        long first = number(one.group(1));
        long last = one.group(2).isEmpty() ? Long.MAX_VALUE : number(one.group(2));
        // "An int-range is invalid if the last-pos value is present and less than first-pos."
        return last < first ? null : new ByteRange(first, last);
    }

    /** A number that is too long is beyond the end of everything. */
    private static long number(String digits) {
        String number = LEADING_ZEROS.matcher(digits).replaceFirst("");
        if (number.isEmpty()) {
            return 0;
        }
        return number.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(number);
    }

    boolean isSatisfiable(long length) {
        return first < 0 ? last > 0 : first < length;
    }

    /** Where it begins in content of this length. */
    long from(long length) {
        return first < 0 ? Math.max(0, length - last) : first;
    }

    /** Where it ends in content of this length, with the byte before this. */
    long to(long length) {
        return first < 0 || last >= length ? length : last + 1;
    }
}
