package org.microhttp.extras.files;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Outcome.Kind;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.Resource;

/**
 * One version of a served file, with the variants of this version. A write to the file makes another version,
 * which is another object. A resource has one version only, and is never checked. For any thread.
 */
final class ServedFile {

    /** How long a version is served without another check of its file. */
    static final long FRESH_NANOS = 1_000_000_000L;

    /** Age of a check at which the next, ahead of time, is due; it has a quarter of a second. */
    private static final long LOOK_NANOS = FRESH_NANOS * 3 / 4;

    /** The time of use is updated once in this time: a cache line that all loops write to is slow. */
    private static final long USE_NANOS = 50_000_000L;

    /** Null for a resource. */
    final StoredFile stored;
    final Resource resource;
    private final FileContent[] contents = new FileContent[Coding.values().length];
    private final long kept;
    private final boolean settled;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile long lookedAt;
    private volatile long usedAt;

    /**
     * @param stored  null for a resource
     * @param settled whether a change of the content is sure to change the version
     * @param now     the time before the file was checked, in nanoseconds
     */
    ServedFile(StoredFile stored, boolean settled, Resource resource, List<FileContent> contents, long now) {
        this.stored = stored;
        this.settled = settled;
        this.resource = resource;
        for (FileContent content : contents) {
            this.contents[content.variant().coding().ordinal()] = content;
        }
        kept = contents.stream().mapToLong(FileContent::kept).sum();
        lookedAt = now;
        usedAt = now;
    }

    /** {@return a response that can be sent at once; null if a file must be opened or read first} */
    Response ready(Request request, long now) {
        return ready(Outcome.of(request, resource), now);
    }

    Response ready(Outcome outcome, long now) {
        if (now - usedAt > USE_NANOS) {
            usedAt = now;
        }
        return switch (outcome.kind()) {
            case WHOLE, PART -> content(outcome).ready(outcome, now);
            case NOT_MODIFIED -> content(outcome).notModified(outcome);
            case PRECONDITION_FAILED, NOT_ACCEPTABLE, RANGE_NOT_SATISFIABLE ->
                PlainAnswers.of(outcome, resource, List.of());
        };
    }

    FileContent content(Outcome outcome) {
        return contents[outcome.variant().coding().ordinal()];
    }

    /** {@return the outcome for a request without fields} */
    Outcome whole() {
        FileContent content = contents[Coding.IDENTITY.ordinal()];
        return new Outcome(Kind.WHOLE, content.variant(), 0, content.variant().length());
    }

    boolean isFresh(long now) {
        return stored == null || now - lookedAt < FRESH_NANOS;
    }

    /** Whether the last check is so recent that no check ahead of time is due. */
    boolean isNew(long now) {
        return now - lookedAt < LOOK_NANOS;
    }

    /** Whether the file still has this version, and no other content can have the same version. */
    boolean isOf(StoredFile now) {
        return settled && stored.equals(now);
    }

    /** Whether a check ahead of time is due and no thread has begun it; if so, counts as begun. */
    boolean beginLook(long now) {
        boolean due = stored != null && now - lookedAt > LOOK_NANOS;
        return due && !looking.get() && looking.compareAndSet(false, true);
    }

    /** The file was checked, and is unchanged. */
    void looked(long now) {
        lookedAt = now;
        looking.set(false);
    }

    /** {@return bytes of memory; 0 if the content is in files} */
    long kept() {
        return kept;
    }

    long usedAt() {
        return usedAt;
    }

    FileContent[] contents() {
        return contents;
    }
}
