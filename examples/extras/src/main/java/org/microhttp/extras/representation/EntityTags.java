package org.microhttp.extras.representation;

/**
 * Compares the entity tag of a variant, a strong one, with those a client sends (RFC 9110 §8.8.3.2). A list
 * that is malformed anywhere has no tag that matches: then the client is sent the content, or refused what it
 * asked for on condition. A variant without a tag has none that matches, but that of an asterisk.
 */
final class EntityTags {

    private static final String WEAK = "W/";

    private EntityTags() {
    }

    /** Whether the same tag is in the list: one that is marked weak is none. An asterisk is any. */
    static boolean matchStrongly(String list, String tag) {
        return match(list, tag, false);
    }

    /** Whether the tag is in the list, be it marked weak there or not. An asterisk is any. */
    static boolean matchWeakly(String list, String tag) {
        return match(list, tag, true);
    }

    // "*" / #entity-tag (RFC 9110 §13.1.1, §13.1.2); empty elements may be (RFC 9110 §5.6.1.2)
    private static boolean match(String list, String tag, boolean weakly) {
        if (tag == null) {
            return list.equals("*");
        }
        if (list.equals(tag) || list.equals("*")) {
            return true;
        }
        boolean found = false;
        // whether a tag may stand here: at the front, and behind a comma
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

    /** The index behind one; -1 if there is none. */
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
