package notes;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import json.JsonReader;
import org.microhttp.Body;
import org.microhttp.Handler;
import org.microhttp.Request;
import org.microhttp.Responder;
import org.microhttp.Response;
import org.microhttp.extras.forms.Form;
import org.microhttp.extras.forms.FormFile;
import org.microhttp.extras.forms.FormHandler;
import org.microhttp.extras.forms.FormLimits;
import org.microhttp.extras.forms.FormResponder;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.extras.routing.Parameters;
import org.microhttp.extras.routing.Router;
import org.microhttp.tools.reporting.Json;

/**
 * The routes of the service. Other threads do what waits for the disk, or searches all notes, and the loop
 * does all else. Safe for any number of loops.
 */
final class NotesHandler {

    private static final Response NO_NOTE = Response.text(404, "there is no such note\n");
    private static final int MOST_SHOWN = 100;

    /** How many characters a search may have. */
    private static final int MOST_SEARCHED = 1000;

    private final NoteStore store;
    private final Path folder;

    private NotesHandler(NoteStore store, Path folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * Makes the handler.
     *
     * @param folder where notes and files are kept, with all that was left there before
     * @param files  serves static files
     */
    static Handler of(Path folder, Handler files) throws IOException {
        FormHandler.clean(folder);
        var notes = new NotesHandler(new NoteStore(folder), folder);
        return new Router()
                .on("GET", "/", notes.later(notes::page))
                .on("POST", "/", notes.form(notes::addForm))
                .on("GET", "/notes", notes.later(notes::list))
                .on("POST", "/notes", notes.later(notes::add))
                .on("GET", "/notes/{id:number}", notes::get)
                .on("PUT", "/notes/{id:number}", notes.later(notes::replace))
                .on("DELETE", "/notes/{id:number}", notes.later(notes::remove))
                .on("GET", "/notes/{id:number}/file", notes.later(notes::file))
                .on("POST", "/notes/{id:number}/file", notes.form(notes::attach))
                .below("/static", files)
                .andThen((request, response) -> response.withHeader("X-Content-Type-Options", "nosniff"));
    }

    private static long id(Request request) {
        return Router.number(request, "id");
    }

    private Handler later(Responder answer) {
        return Handler.blocking(request -> answer(request, answer));
    }

    private Handler form(FormResponder answer) {
        return new FormHandler(folder, FormLimits.DEFAULT, (request, form) ->
                isOfAnotherSite(request) ? Response.text(403, "the form is of another site\n")
                        : answer(request, same -> answer.respond(same, form)));
    }

    /**
     * A page of another site can make a browser send a form here. The browser then says so; an old one, and
     * any one to a site without TLS, says only where the page is from. What is no browser says nothing.
     */
    private static boolean isOfAnotherSite(Request request) {
        List<String> sites = request.values("Sec-Fetch-Site");
        if (!sites.isEmpty()) {
            return !Set.of("same-origin", "none").containsAll(sites);
        }
        List<String> origins = request.values("Origin");
        List<String> pages = origins.isEmpty() ? request.values("Referer") : origins;
        String here = "(?i)https?://" + Pattern.quote("" + request.host()) + "(/.*)?";
        return !pages.stream().allMatch(page -> page.matches(here));
    }

    /** What is wrong with a request has a message for its client; what else fails is a 500, and logged. */
    private static Response answer(Request request, Responder answer) throws Exception {
        try {
            return answer.respond(request);
        } catch (IllegalArgumentException e) {
            return Response.text(400, e.getMessage() + "\n");
        } catch (NoteStore.FullException e) {
            return Response.text(507, e.getMessage() + "\n");
        }
    }

    private Response page(Request request) {
        String search = Parameters.query(request).text("q", "", MOST_SEARCHED);
        return NotesPage.of(search, store.find(search, MOST_SHOWN));
    }

    private Response list(Request request) {
        var query = Parameters.query(request);
        int limit = query.number("limit", MOST_SHOWN, 1, MOST_SHOWN);
        String search = query.text("q", "", MOST_SEARCHED);
        return json(200, store.find(search, limit).stream().map(Note::members).toList());
    }

    private Response get(Request request) {
        return noteOr404(store.get(id(request)));
    }

    private Response add(Request request) throws IOException {
        return withJson(request, json -> created(store.add(json, null, null)));
    }

    private Response replace(Request request) throws IOException {
        return withJson(request, json -> noteOr404(store.replace(id(request), json)));
    }

    private Response remove(Request request) throws IOException {
        return store.remove(id(request)) ? Response.of(204) : NO_NOTE;
    }

    private Response addForm(Request request, Form form) throws IOException {
        Map<String, String> members = Map.of("title", form.get("title", ""), "text", form.get("text", ""));
        FormFile file = form.file("file");
        store.add(members, file == null ? null : name(file), file == null ? null : file.path());
        // so that the browser loads the page, and a reload does not send the form again
        return Response.redirect(303, "/");
    }

    private Response attach(Request request, Form form) throws IOException {
        FormFile file = form.file("file");
        if (file == null) {
            throw new IllegalArgumentException("the form has no file in its field file");
        }
        return noteOr404(store.attach(id(request), name(file), file.path()));
    }

    /** Without folders, which some clients send. It is only shown: the store has names of its own. */
    private static String name(FormFile file) {
        return file.name().replaceFirst("(?s).*[/\\\\]", "");
    }

    /** Never shown as a page of this site: it might be a script. */
    private Response file(Request request) throws IOException {
        Note note = store.get(id(request));
        if (note == null || note.file() == null) {
            return NO_NOTE;
        }
        try {
            // RFC 6266 §4.3, RFC 8187 §3.2
            String name = "attachment; filename*=UTF-8''" + TargetPath.escaped(note.file());
            return Response.of(200, "application/octet-stream", Body.of(store.file(note.id())))
                    .withHeader("Content-Disposition", name);
        } catch (NoSuchFileException e) {
            // removed a moment ago
            return NO_NOTE;
        }
    }

    private interface JsonAnswer { Response of(Object json) throws IOException; }

    private static Response withJson(Request request, JsonAnswer answer) throws IOException {
        String type = "" + request.header("Content-Type");
        // a page of another site cannot send this type without being asked for it
        if (!type.toLowerCase(Locale.ROOT).matches("application/json( *;.*)?")) {
            return Response.text(415, "the type of a note is application/json\n");
        }
        return answer.of(JsonReader.read(request.body()));
    }

    private static Response created(Note note) {
        return json(201, note.members()).withHeader("Location", "/notes/" + note.id());
    }

    private static Response noteOr404(Note note) {
        return note == null ? NO_NOTE : json(200, note.members());
    }

    private static Response json(int status, Object value) {
        return Response.json(status, Json.text(value) + "\n");
    }
}
