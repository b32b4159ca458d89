package org.microhttp.extras.files;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.microhttp.Header;
import org.microhttp.extras.filesystem.FolderItem;
import org.microhttp.extras.filesystem.FolderList;
import org.microhttp.extras.representation.TargetPath;

/** The page that lists what a folder has: folders first, then files, by their names. */
final class FolderPage {

    /** Names that clients chose must not run as scripts; the page needs only its style. */
    static final List<Header> FIELDS = List.of(
            new Header("Content-Type", "text/html; charset=utf-8"),
            new Header("Cache-Control", "no-cache"),
            new Header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"));

    /** After so many characters no row is added: names may be long. */
    private static final int MOST_CHARACTERS = 2 << 20;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Comparator<FolderItem> ORDER = Comparator
            .comparing((FolderItem item) -> !item.isFolder())
            .thenComparing(FolderItem::name, String.CASE_INSENSITIVE_ORDER)
            .thenComparing(FolderItem::name);

    private static final String HEAD = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>%1$s</title>
            <style>
            :root { --text: #1f2328; --quiet: #656d76; --line: #d8dee4; --link: #0550ae; --row: #f3f5f7;
              --page: #ffffff }
            @media (prefers-color-scheme: dark) {
              :root { --text: #e6edf3; --quiet: #8b949e; --line: #30363d; --link: #79b8ff; --row: #161b22;
                --page: #0d1117 }
            }
            body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: var(--text);
              background: var(--page); font: 1rem/1.5 system-ui, sans-serif }
            h1 { font-size: 1.25rem; overflow-wrap: anywhere }
            table { border-collapse: collapse; width: 100%% }
            th { color: var(--quiet); font-size: .85rem; font-weight: 600; text-align: left }
            th, td { border-bottom: 1px solid var(--line); padding: .4rem .6rem }
            td:first-child { overflow-wrap: anywhere }
            th + th, td + td { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
            td + td { color: var(--quiet) }
            tbody tr:hover { background: var(--row) }
            a { color: var(--link); text-decoration: none }
            a:hover { text-decoration: underline }
            p { color: var(--quiet); font-size: .85rem }
            </style>
            </head>
            <body>
            <h1>%1$s</h1>
            <table>
            <thead><tr><th>Name</th><th>Size</th><th>Modified (UTC)</th></tr></thead>
            <tbody>
            """;

    private FolderPage() {
    }

    /** {@return the page in UTF-8} */
    static byte[] of(TargetPath folder, FolderList list) {
        var page = new StringBuilder(HEAD.formatted(escaped(folder.key())));
        if (!folder.name().isEmpty()) {
            appendRow(page, "../", "../", "", "");
        }
        List<FolderItem> items = list.items().stream().sorted(ORDER).toList();
        int shown = 0;
        while (shown < items.size() && page.length() < MOST_CHARACTERS) {
            append(page, items.get(shown++));
        }
        page.append("</tbody>\n</table>\n<p>").append(count(shown, items.size() - shown + list.more()));
        page.append("</p>\n</body>\n</html>\n");
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder page, FolderItem item) {
        String slash = item.isFolder() ? "/" : "";
        // without the dot in front, the name "a:b" would have a scheme
        String link = "./" + TargetPath.escaped(item.name()) + slash;
        String size = item.isFolder() ? "" : size(item.size());
        appendRow(page, link, item.name() + slash, size, TIME.format(item.modified().toInstant()));
    }

    private static void appendRow(StringBuilder page, String link, String name, String size, String time) {
        page.append("<tr><td><a href=\"").append(link).append("\">").append(escaped(name));
        page.append("</a></td><td>").append(size).append("</td><td>").append(time).append("</td></tr>\n");
    }

    private static String count(int shown, long more) {
        String count = shown == 1 ? "1 item" : shown + " items";
        return more == 0 ? count : count + ", and " + more + " more that are not shown";
    }

    /** In the largest unit that is not above the size. */
    private static String size(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double size = bytes;
        int unit = -1;
        while (size >= 1024 && unit < 3) {
            size /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %ciB", size, "KMGT".charAt(unit));
    }

    /** Escapes text for HTML, in an element or between double quotes. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
