package org.microhttp.extras.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.microhttp.Body;
import org.microhttp.Response;
import org.microhttp.extras.filesystem.FileTree;
import org.microhttp.extras.filesystem.FolderList;
import org.microhttp.extras.filesystem.FoundFile;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;

/**
 * Makes the pages that list folders. A page takes memory until it is sent or its client disconnects, so the
 * pages being sent have a common limit: clients that do not read cannot fill the memory. For any thread.
 */
final class FolderPages {

    private static final long MOST_BYTES = Math.min(32 << 20, Runtime.getRuntime().maxMemory() / 16);

    private final FileTree tree;
    private final AtomicLong bytes = new AtomicLong();

    FolderPages(FileTree tree) {
        this.tree = tree;
    }

    /**
     * {@return the page of a folder, which must be sent; a 503 while too many bytes are being sent; null if
     * the folder changes meanwhile}
     */
    Response of(TargetPath path) throws IOException {
        if (bytes.get() >= MOST_BYTES) {
            return PlainAnswers.UNAVAILABLE;
        }
        FoundFile found = tree.find(path.name());
        FolderList list = found != null && found.version().isFolder() ? tree.list(found) : null;
        if (list == null) {
            return null;
        }
        byte[] page = FolderPage.of(path, list);
        if (!take(page.length)) {
            return PlainAnswers.UNAVAILABLE;
        }
        Body body = Body.of(ByteBuffer.wrap(page)).onReleased(() -> bytes.addAndGet(-page.length));
        return new Response(200, "OK", FolderPage.FIELDS, body);
    }

    /** A single page is always allowed. */
    private boolean take(int length) {
        long before = bytes.getAndAdd(length);
        boolean room = before == 0 || before + length <= MOST_BYTES;
        if (!room) {
            bytes.addAndGet(-length);
        }
        return room;
    }
}
