package notes;

import java.util.List;
import org.microhttp.Response;

/** The page: a form, and notes. What clients sent is escaped wherever it stands. */
final class NotesPage {

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Notes</title>
            <link rel="stylesheet" href="/static/notes.css">
            <script src="/static/notes.js" defer></script>
            <h1>Notes</h1>
            <form action="/" method="post" enctype="multipart/form-data">
            <label>Title <input name="title" required maxlength="100"></label>
            <label>Text <textarea name="text" rows="3" maxlength="10000"></textarea></label>
            <label>File <input name="file" type="file"></label>
            <button>Add</button>
            </form>
            <form action="/" role="search">
            <label>Search <input name="q" type="search" value="%s"></label>
            </form>
            %s</html>
            """;

    private static final String NOTE = """
            <article>
            <h2>%s</h2>
            <p>%s</p>
            <footer>%s<button data-delete="/notes/%s">Delete</button></footer>
            </article>
            """;

    /** Nothing from elsewhere, no script in the page itself, and no page around this one. */
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self';"
            + " frame-ancestors 'none'; base-uri 'none'";

    static Response of(String search, List<Note> notes) {
        var shown = new StringBuilder();
        for (Note note : notes) {
            String file = note.file() == null ? ""
                    : "<a href=\"/notes/" + note.id() + "/file\">" + escaped(note.file()) + "</a> ";
            shown.append(NOTE.formatted(escaped(note.title()), escaped(note.text()), file, note.id()));
        }
        return Response.of(200, "text/html; charset=utf-8", PAGE.formatted(escaped(search), shown))
                .withHeader("Content-Security-Policy", POLICY);
    }

    /** Text as HTML has it, in an element or between double quotes. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
