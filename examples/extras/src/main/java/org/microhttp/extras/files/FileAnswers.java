package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;

/**
 * What requests get that a loop cannot answer at once: it takes looking at files. Blocks, so it is called by
 * the threads of an executor; safe for all of them.
 */
final class FileAnswers {

    /** The page of a name that nothing has. */
    private static final TargetPath PAGE = new TargetPath("/404.html");

    /** How often it is tried to see the same version of a file in all steps. */
    private static final int TRIES = 5;

    private static final int LOCKS = 64;

    /** Never sent: it says that a folder has to be listed, which is for {@link #list}. */
    static final Response LISTING = new Response(200, "OK", List.of(), new byte[0]);

    private final FileTree tree;
    private final FileLoader loader;
    private final FileCache files;
    private final FolderPages pages;
    private final FailureReport failures;

    /** What a folder is answered with, if it has one of them. */
    private final List<String> indexes;

    /** One thread at a time looks at a file; which of these is its, its key decides. */
    private final Object[] locks = new Object[LOCKS];

    FileAnswers(FileTree tree, FileCache files, FileSettings settings) {
        this.tree = tree;
        this.files = files;
        failures = new FailureReport(settings.failures());
        indexes = settings.indexes();
        loader = new FileLoader(tree, settings);
        pages = settings.listing() ? new FolderPages(tree) : null;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /** {@return what a GET or HEAD gets, or {@link #LISTING}} */
    Response answer(Request request) {
        return answer(request, false);
    }

    /** {@return what a GET or HEAD gets, which must be sent; may take long} */
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
            // it is being written all the time
            return PlainAnswers.UNAVAILABLE;
        } catch (AccessDeniedException e) {
            return PlainAnswers.FORBIDDEN;
        } catch (IOException | RuntimeException e) {
            return failures.answer(request.path(), e);
        }
    }

    /** Null if something was no longer what it had been a moment before. */
    private Response tryAnswer(Request request, TargetPath path, boolean list, boolean last)
            throws IOException {
        try {
            return path == null ? notFound() : answer(request, path, list);
        } catch (NoSuchFileException e) {
            return null;
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            // maybe a link where there was a folder, and maybe no descriptor is free
            files.closeAll();
            if (last) {
                throw e;
            }
            return null;
        }
    }

    private Response answer(Request request, TargetPath path, boolean list) throws IOException {
        ServedFile file = current(path);
        if (file != null) {
            return answer(path.key(), file, request);
        }
        FoundFile found = tree.find(path.name());
        boolean folder = found != null && found.version().isFolder();
        if (folder && !path.isFolder()) {
            return redirect(request, path);
        }
        if (folder && pages != null) {
            return list ? pages.of(path) : LISTING;
        }
        boolean appeared = found != null && found.version().isFile() && !path.isFolder();
        return appeared ? null : notFound();
    }

    /** What relates to a path of a folder without its slash leads elsewhere, so that is told. */
    private static Response redirect(Request request, TargetPath path) {
        String query = request.query() == null ? "" : "?" + request.query();
        return PlainAnswers.moved(TargetPath.escaped(path.key()) + "/" + query, List.of());
    }

    /** With the page of the site, if that can be read. */
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
        ServedFile page = current(PAGE);
        if (page == null) {
            return PlainAnswers.NOT_FOUND;
        }
        Outcome whole = page.whole();
        Body body = page.content(whole).memoryBody();
        if (body == null) {
            OpenFile open = open(PAGE.key(), page, whole);
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
        OpenFile open = open(key, file, outcome);
        return open == null ? null : file.content(outcome).ready(outcome, open);
    }

    /** Opens what is sent, if it is not open, and takes it; null if it is no longer what it was. */
    private OpenFile open(String key, ServedFile file, Outcome outcome) throws IOException {
        FileContent content = file.content(outcome);
        OpenFile open = content.open();
        if (open == null || !open.isOpen() || !open.take()) {
            FileChannel channel = loader.open(file.stored, outcome.variant().coding());
            if (channel == null) {
                files.remove(key);
                return null;
            }
            open = new OpenFile(channel, content, System.nanoTime());
            open.take();
            files.keepOpen(key, file, content, open);
        }
        try {
            open.warm(outcome.first(), outcome.length(), System.nanoTime());
        } catch (IOException e) {
            open.release();
            throw e;
        }
        return open;
    }

    /** Looks whether a file that is kept is still the same. */
    void look(String key) {
        try {
            current(new TargetPath(key));
        } catch (IOException e) {
            // whoever asks for it next is told
            files.remove(key);
        } catch (RuntimeException e) {
            failures.answer(key, e);
            files.remove(key);
        }
    }

    /** The file of a path as it is, or was less than a second ago; null if no file is there. */
    private ServedFile current(TargetPath path) throws IOException {
        synchronized (locks[path.hashCode() & LOCKS - 1]) {
            long now = System.nanoTime();
            ServedFile known = files.find(path.key());
            if (known != null && known.isNew(now)) {
                return known;
            }
            StoredFile stored = find(path);
            if (known != null && known.isOf(stored)) {
                known.looked(now);
                return known;
            }
            ServedFile loaded = load(path, stored, now);
            if (loaded == null) {
                files.remove(path.key());
            } else {
                files.put(path.key(), loaded);
            }
            return loaded;
        }
    }

    private ServedFile load(TargetPath path, StoredFile first, long now) throws IOException {
        StoredFile stored = first;
        if (stored != null && !stored.file().version().isSettled()) {
            // else what is written while it is read may not show; if it still is, that is looked at later
            LockSupport.parkNanos(FileVersion.TICK.toNanos());
            stored = find(path);
        }
        for (int i = 0; i < TRIES && stored != null; i++) {
            ServedFile loaded = loader.load(stored, now);
            if (loaded != null) {
                return loaded;
            }
            stored = find(path);
        }
        if (stored == null) {
            return null;
        }
        throw new NoSuchFileException(path.key());
    }

    private StoredFile find(TargetPath path) throws IOException {
        if (!path.isFolder()) {
            return loader.find(path.name());
        }
        for (String index : indexes) {
            StoredFile stored = loader.find(path.key().substring(1) + index);
            if (stored != null) {
                return stored;
            }
        }
        return null;
    }
}
