package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.FileVersion.Kind;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.extras.representation.Vary;

/**
 * Answers the requests for which files must be read or checked. Blocks, so the threads of an executor call
 * it. For any thread.
 */
final class FileAnswers {

    /** The page of a 404. */
    private static final TargetPath PAGE = new TargetPath("/404.html");

    /** Attempts to see the same version of a file in all steps. */
    private static final int TRIES = 5;

    /** Never sent: tells the caller to list a folder, by {@link #list}. */
    static final Response LISTING = new Response(200, "OK", List.of(), new byte[0]);

    private final FileSource source;
    private final FailureReport failures;

    /** Null if folders are not listed. */
    private final FolderPages pages;

    /** Null for none. */
    private final Fallback fallback;

    /** @param pages null if folders are not listed */
    FileAnswers(FileSource source, FolderPages pages, FileSettings settings) {
        this.source = source;
        this.pages = pages;
        failures = new FailureReport(settings.failures());
        fallback = settings.fallback();
    }

    /** {@return the response to a GET or HEAD, or {@link #LISTING}} */
    Response answer(Request request) {
        return answer(request, false);
    }

    /** {@return the response to a GET or HEAD, which must be sent; may take long} */
    Response list(Request request) {
        return answer(request, true);
    }

    private Response answer(Request request, boolean list) {
        try {
            TargetPath path = TargetPath.of(request.path());
            for (int i = 0; i < TRIES; i++) {
                Response response = tryAnswer(request, path, list, i == TRIES - 1);
                if (response != null) {
                    return response;
                }
            }
            // the file changes all the time
            return PlainAnswers.UNAVAILABLE;
        } catch (AccessDeniedException e) {
            return PlainAnswers.FORBIDDEN;
        } catch (IOException | RuntimeException e) {
            return failures.answer(request.path(), e);
        }
    }

    /** Null if a file changed between two steps. */
    private Response tryAnswer(Request request, TargetPath path, boolean list, boolean last)
            throws IOException {
        try {
            return path == null ? notFound() : answer(request, path, list);
        } catch (NoSuchFileException e) {
            return null;
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            // perhaps a link replaced a folder, or no file descriptor is free
            source.closeAll();
            if (last) {
                throw e;
            }
            return null;
        }
    }

    private Response answer(Request request, TargetPath path, boolean list) throws IOException {
        ServedFile file = source.find(path);
        if (file != null) {
            return answer(path.key(), file, request);
        }
        Kind kind = source.kind(path.name());
        if (kind == Kind.FOLDER && !path.isFolder()) {
            return redirect(request, path);
        }
        if (kind == Kind.FOLDER && pages != null) {
            return list ? pages.of(path) : LISTING;
        }
        boolean appeared = kind == Kind.FILE && !path.isFolder();
        return appeared ? null : absent(request, path);
    }

    /** The response for a path without a file: the fallback page, or a 404. */
    private Response absent(Request request, TargetPath path) throws IOException {
        if (fallback == null || !fallback.isFor(path)) {
            return notFound();
        }
        ServedFile page = Fallback.isAccepted(request) ? source.find(fallback.page()) : null;
        Response response = page == null ? notFound() : answer(fallback.page().key(), page, request);
        return response == null ? null : Vary.on("Accept", response);
    }

    /** Adds the slash of a folder: without it, relative links of its page would lead elsewhere. */
    private static Response redirect(Request request, TargetPath path) {
        String query = request.query() == null ? "" : "?" + request.query();
        return PlainAnswers.moved(TargetPath.escaped(path.key()) + "/" + query, List.of());
    }

    /** A 404, with the page of the site if that can be read. */
    private Response notFound() throws IOException {
        try {
            return page();
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            failures.answer(PAGE.key(), e);
            return PlainAnswers.NOT_FOUND;
        }
    }

    private Response page() throws IOException {
        ServedFile page = source.find(PAGE);
        if (page == null) {
            return PlainAnswers.NOT_FOUND;
        }
        Outcome whole = page.whole();
        Body body = page.content(whole).memoryBody();
        if (body == null) {
            OpenFile open = source.open(PAGE.key(), page, whole);
            if (open == null) {
                return null;
            }
            body = open.body(0, whole.length());
        }
        List<Header> fields = List.of(new Header("Content-Type", page.resource.mediaType()));
        return new Response(404, "Not Found", fields, body);
    }

    private Response answer(String key, ServedFile file, Request request) throws IOException {
        Outcome outcome = Outcome.of(request, file.resource);
        Response ready = file.ready(outcome, System.nanoTime());
        if (ready != null) {
            return ready;
        }
        OpenFile open = source.open(key, file, outcome);
        return open == null ? null : file.content(outcome).ready(outcome, open);
    }

    /** Checks whether a cached file is still the same. */
    void look(String key) {
        try {
            source.find(new TargetPath(key));
        } catch (IOException e) {
            // the next request for the file fails in the same way
            source.forget(key);
        } catch (RuntimeException e) {
            failures.answer(key, e);
            source.forget(key);
        }
    }
}
