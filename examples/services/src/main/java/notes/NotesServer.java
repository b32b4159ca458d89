package notes;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import org.microhttp.*;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.forms.*;
import org.microhttp.extras.representation.ContentDisposition;
import org.microhttp.extras.routing.*;
import org.microhttp.extras.security.CrossSiteGuard;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.servertool.*;

/**
 * Keeps notes: JSON below {@code /notes}, a page with a form at {@code /}, static files below {@code
 * /static}. Routes that wait for the disk, or search all notes, run on other threads than the loop's. On
 * SIGTERM it takes no new connections, and answers pending requests. {@code --help} lists the flags.
 */
public final class NotesServer {

    private static final Flag DATA =
            Flag.of("", "--data", "DIR", "the folder of notes and their files").required();
    private static final LogFlags LOG = LogFlags.BESIDE;
    private static final int MOST_SHOWN = 100;

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** {@return the exit code} */
    public static int run(PrintStream out, PrintStream err, String... args) {
        return new ServerTool("NotesServer", List.of(DATA, LOG.file(), LOG.style(), LOG.trust()),
                line -> handler(InputFile.folder(line, DATA, "")))
                // each pending form has an open file; the size of forms is limited by FormLimits
                .withOptions((line, options) ->
                        options.withMaxPendingRequests(500).withMaxRequestSize(128 << 10))
                .withLog(LOG::log)
                .withGrace(Duration.ofSeconds(20))
                .run(out, err, args);
    }

    /** Makes the handler of the service, for tests too. */
    public static Handler handler(Path data) throws IOException {
        FormHandler.clean(data);
        var store = new NoteStore(data);
        return new CrossSiteGuard(new Router()
                .on("GET", "/", Route.blocking(request -> page(request, store)))
                .on("POST", "/", form(data, (request, form) -> addForm(form, store)))
                .on("GET", "/notes", Route.blocking(request -> list(request, store)))
                .on("POST", "/notes", json(request -> add(request, store)))
                .on("GET", "/notes/{id:number}", request -> json(store.get(id(request))))
                .on("PUT", "/notes/{id:number}", json(request ->
                        json(store.replace(id(request), Note.of(request.body())))))
                .on("DELETE", "/notes/{id:number}", Route.blocking(request -> remove(request, store)))
                .on("GET", "/notes/{id:number}/file", Route.blocking(request -> file(request, store)))
                .on("POST", "/notes/{id:number}/file", form(data, (request, form) ->
                        attach(request, form, store)))
                .below("/static", FileHandler.ofResources(NotesServer.class, "static").build()))
                .andThen((request, response) -> response.withHeader("X-Content-Type-Options", "nosniff"));
    }

    private static Route json(Responder responder) {
        return Route.blocking(responder).withTypes("application/json");
    }

    private static Handler form(Path data, FormResponder responder) {
        return new FormHandler(data, FormLimits.DEFAULT, responder);
    }

    private static Response page(Request request, NoteStore store) {
        String search = Parameters.query(request).text("q", "", 1000);
        return NotesPage.of(search, store.find(search, MOST_SHOWN));
    }

    private static Response list(Request request, NoteStore store) {
        var query = Parameters.query(request);
        int limit = query.number("limit", MOST_SHOWN, 1, MOST_SHOWN);
        List<Note> found = store.find(query.text("q", "", 1000), limit);
        return Response.json(200, found.stream().map(Note::json).collect(joining(",", "[", "]\n")));
    }

    private static Response add(Request request, NoteStore store) throws IOException {
        Note note = store.add(Note.of(request.body()), null);
        return Response.json(201, note.json() + "\n").withHeader("Location", "/notes/" + note.id());
    }

    private static Response addForm(Form form, NoteStore store) throws IOException {
        store.add(Note.of(form), form.file("file"));
        // so that the browser loads the page, and a reload does not send the form again
        return Response.redirect(303, "/");
    }

    private static Response attach(Request request, Form form, NoteStore store) throws IOException {
        if (form.file("file") == null) {
            throw new RequestException("the form has no file in its field file");
        }
        return json(store.attach(id(request), form.file("file")));
    }

    private static Response remove(Request request, NoteStore store) throws IOException {
        store.remove(id(request));
        return Response.of(204);
    }

    /** Never shown as a page of this site: it might be a script. */
    private static Response file(Request request, NoteStore store) throws IOException {
        Note note = store.get(id(request));
        if (note.file() == null) {
            throw new RequestException(404, "the note has no file");
        }
        try {
            return Response.of(200, "application/octet-stream", Body.of(store.file(note.id())))
                    .withHeader("Content-Disposition", ContentDisposition.attachment(note.file()));
        } catch (NoSuchFileException e) {
            throw new RequestException(404, "the note was removed a moment ago");
        }
    }

    private static long id(Request request) {
        return Router.number(request, "id");
    }

    private static Response json(Note note) {
        return Response.json(200, note.json() + "\n");
    }
}
