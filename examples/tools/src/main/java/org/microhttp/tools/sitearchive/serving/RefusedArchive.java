package org.microhttp.tools.sitearchive.serving;

import java.time.Duration;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.tools.filesystem.InputFile;

/**
 * A version of an archive that cannot be served. One that is broken stays so; what cannot be opened for want
 * of memory or descriptors is tried again.
 */
record RefusedArchive(FileVersion version, String reason, boolean lasts, long again) {

    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    /**
     * @param settled whether it was before it was opened; if not, it is looked at again at once
     * @param now     of {@link System#nanoTime}
     */
    static RefusedArchive of(FileVersion version, boolean settled, Throwable cause, long now) {
        return new RefusedArchive(version, InputFile.reason(cause),
                settled && cause instanceof BrokenArchiveException, settled ? now + AGAIN_NANOS : now);
    }

    /** Whether there is no need to look at this version now. */
    boolean holds(FileVersion other, long now) {
        return version.equals(other) && (lasts || now - again < 0);
    }

    /** Whether the same was said of the same. */
    boolean isLike(RefusedArchive before) {
        return before != null && version.equals(before.version) && reason.equals(before.reason);
    }
}
