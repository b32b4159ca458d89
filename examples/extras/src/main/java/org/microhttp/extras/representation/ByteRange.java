package org.microhttp.extras.representation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One range of bytes that a client asks for (RFC 9110 §14.1.2).
 *
 * @param first index of the first byte; -1 for a range at the end of the content
 * @param last  index of the last byte, inclusive; for a range at the end, its length
 */
record ByteRange(long first, long last) {

    // bytes-unit "=" 1#( first-pos "-" [ last-pos ] / "-" suffix-length ) (RFC 9110 §14.1.1, §14.1.2), for
    // one range only; the unit in upper or lower case (RFC 9110 §14.1); empty elements are allowed (RFC 9110
    // §5.6.1.2)
    private static final Pattern ONE =
            Pattern.compile("(?i:bytes)=[, \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[, \t]*");

    private static final Pattern LEADING_ZEROS = Pattern.compile("^0+");

    /** Every number of so many digits fits a long. */
    private static final int MAX_DIGITS = 18;

    /** The range of a field; null if the field has several ranges or another unit, or is malformed. */
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

    /** A number that is too long counts as beyond the end of any content. */
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

    /** Index of the first byte in content of this length. */
    long from(long length) {
        return first < 0 ? Math.max(0, length - last) : first;
    }

    /** Index after the last byte in content of this length. */
    long to(long length) {
        return first < 0 || last >= length ? length : last + 1;
    }
}
