package org.microhttp.extras.representation;

/** The field {@code Content-Disposition} of a response: a file to save instead of a page to show. */
public final class ContentDisposition {

    /** What no name of a file has: folders, controls, and what changes the direction of a text. */
    private static final String UNSAFE =
            "[/\\\\\\p{Cntrl}\\x80-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]";

    /** What some clients do not take as it is, even in quotes (RFC 6266, appendix D). */
    private static final String UNPLAIN = "[^ -~]|[\"%]";

    private ContentDisposition() {
    }

    /**
     * Returns the value that has a browser save a response as a file (RFC 6266). For example:
     * <pre>{@code
     *   return Response.of(200, "application/octet-stream", Body.of(path))
     *           .withHeader("Content-Disposition", ContentDisposition.attachment("report.pdf"));
     * }</pre>
     * The name may come from a client, with any characters. A slash, a backslash, a control character, and
     * one that changes the direction of the text, become {@code _}. A name that is not plain ASCII is given
     * twice: in UTF-8 (RFC 8187), and before that, for old clients, with {@code _} for all else. The value is
     * up to about ten times as long as the name, so limit names where you store them.
     *
     * @param fileName without folders; if it is empty, the browser chooses a name
     * @return such as <code>attachment; filename="na_ve.txt"; filename*=UTF-8''na%C3%AFve.txt</code>
     * @throws NullPointerException if the name is null
     */
    public static String attachment(String fileName) {
        if (fileName.isEmpty()) {
            return "attachment";
        }
        String name = fileName.replaceAll(UNSAFE, "_");
        String plain = name.replaceAll(UNPLAIN, "_");
        String value = "attachment; filename=\"" + plain + "\"";
        // escaped as in a path, of which no slash is left (attr-char, RFC 8187 §3.2.1)
        return plain.equals(name) ? value : value + "; filename*=UTF-8''" + TargetPath.escaped(name);
    }
}
