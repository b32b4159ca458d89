package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.file.Path;
import org.microhttp.Request;

/**
 * What is served of one archive at a moment. For any thread.
 *
 * @param file     for messages
 * @param current  null if it was changed in place, and is no archive any more
 * @param previous the one before it, of which paths are still answered; null for none
 */
record Site(Path file, OpenArchive current, OpenArchive previous) {

    /** Takes the archive for an answer; false if it is closed, since another has taken its place. */
    boolean take() {
        return current == null || current.take();
    }

    /** {@return whether a host is part of what is looked for} */
    boolean hasHosts() {
        return current != null && current.hasHosts() || previous != null && previous.hasHosts();
    }

    /**
     * Answers, and releases what was taken, if the answer does not.
     *
     * @param path decoded; null for one that cannot be, which is nowhere but below the root
     * @return null if there is nothing to answer with
     */
    SiteAnswer answer(Request request, String host, String path) throws IOException {
        if (current == null) {
            throw new IOException(UnchangedFile.CHANGED);
        }
        SiteAnswer own = null;
        try {
            own = path == null ? null : current.path(request, host, path);
            SiteAnswer old = own == null && path != null ? old(request, host, path) : null;
            if (old != null) {
                return old;
            }
            own = own == null ? current.folder(request, host, path == null ? "/" : path) : own;
            return own;
        } finally {
            if (own == null || !own.held()) {
                current.release();
            }
        }
    }

    private SiteAnswer old(Request request, String host, String path) throws IOException {
        if (previous == null || !previous.take()) {
            return null;
        }
        SiteAnswer answer = null;
        try {
            answer = previous.path(request, host, path);
            return answer;
        } finally {
            if (answer == null || !answer.held()) {
                previous.release();
            }
        }
    }
}
