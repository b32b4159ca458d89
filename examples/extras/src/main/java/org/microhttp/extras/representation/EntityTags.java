package org.microhttp.extras.representation;

/**
 * Compares the strong entity tag of a variant with the tags that a client sends (RFC 9110 §8.8.3.2). A list
 * that is malformed anywhere matches no tag: then If-None-Match gets the content, and If-Match a 412. A
 * variant without a tag matches only an asterisk.
 */
final class EntityTags {

    private static final String WEAK = "W/";

    private EntityTags() {
    }

    /** Whether the list has the tag, not marked weak, or is an asterisk. */
    static boolean matchStrongly(String list, String tag) {
        return match(list, tag, false);
    }

    /** Whether the list has the tag, marked weak or not, or is an asterisk. */
    static boolean matchWeakly(String list, String tag) {
        return match(list, tag, true);
    }

    // "*" / #entity-tag (RFC 9110 §13.1.1, §13.1.2); empty elements are allowed (RFC 9110 §5.6.1.2)
    private static boolean match(String list, String tag, boolean weakly) {
        if (tag == null) {
            return list.equals("*");
        }
        if (list.equals(tag) || list.equals("*")) {
            return true;
        }
        boolean found = false;
        // whether a tag may stand here: at the front, and after a comma
        boolean open = true;
        int at = 0;
        while (at < list.length()) {
            char c = list.charAt(at);
            if (c == ',' || c == ' ' || c == '\t') {
                open |= c == ',';
                at++;
            } else {
                int opaque = list.startsWith(WEAK, at) ? at + WEAK.length() : at;
                int end = endOfOpaque(list, opaque);
                if (!open || end < 0) {
                    return false;
                }
                boolean same = end - opaque == tag.length() && list.startsWith(tag, opaque);
                found |= same && (weakly || opaque == at);
                open = false;
                at = end;
            }
        }
        return found;
    }

    /** The index after an opaque tag; -1 if there is no such tag. */
    // opaque-tag = DQUOTE *etagc DQUOTE, etagc = %x21 / %x23-7E / obs-text (RFC 9110 §8.8.3)
    private static int endOfOpaque(String list, int from) {
        if (!list.startsWith("\"", from)) {
            return -1;
        }
        int end = list.indexOf('"', from + 1);
        for (int at = from + 1; at < end; at++) {
            char c = list.charAt(at);
            if (c <= ' ' || c == 0x7F) {
                return -1;
            }
        }
        return end < 0 ? -1 : end + 1;
    }
}
