package org.microhttp.testing;

import java.util.regex.Pattern;

/** A Java source as a search for code needs it. */
public final class SourceText {

    private static final Pattern COMMENT_OR_LITERAL = Pattern.compile("//[^\n]*|/\\*[\\s\\S]*?\\*/"
            + "|\"\"\"[^\"\\\\]*+(?:(?:\\\\.|\"(?!\"\"))[^\"\\\\]*+)*\"\"\""
            + "|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'");
    private static final Pattern VISIBLE = Pattern.compile("\\S+");

    private SourceText() {
    }

    /** Returns the source, line for line, without its comments, and with an underscore for each literal. */
    public static String withoutText(String source) {
        return COMMENT_OR_LITERAL.matcher(source).replaceAll(found -> {
            boolean comment = found.group().startsWith("/");
            return VISIBLE.matcher(found.group()).replaceAll(comment ? "" : "_");
        });
    }
}
