package org.microhttp.extras.representation;

/** The field {@code Content-Disposition} of a response, which makes browsers save a file, not show a page. */
public final class ContentDisposition {

    /** What file names must not have: slashes, control characters, and changes of the direction of text. */
    private static final String UNSAFE =
            "[/\\\\\\p{Cntrl}\\x80-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]";

    /** What some clients misread, even in quotes (RFC 6266, appendix D). */
    private static final String UNPLAIN = "[^ -~]|[\"%]";

    private ContentDisposition() {
    }

    /**
     * Returns the value that makes a browser save a response as a file (RFC 6266). For example:
     * <pre>{@code
     *   return Response.of(200, "application/octet-stream", Body.of(path))
     *           .withHeader("Content-Disposition", ContentDisposition.attachment("report.pdf"));
     * }</pre>
     * The name may come from a client, with any characters. Slashes, backslashes, control characters, and
     * characters that change the direction of text become {@code _}. A name that is not plain ASCII, or has a
     * quote or {@code %}, is in the value twice: first, for old clients, with {@code _} for such characters,
     * then in UTF-8 (RFC 8187). The value is up to about ten times as long as the name, so limit names where
     * you store them.
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
        // escaped as in a path, which leaves only attr-char (RFC 8187 §3.2.1) and slashes; the name has none
        return plain.equals(name) ? value : value + "; filename*=UTF-8''" + TargetPath.escaped(name);
    }
}
