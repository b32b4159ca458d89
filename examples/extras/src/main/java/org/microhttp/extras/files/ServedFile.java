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
 * One version of a file that is served, with the variants that belong to it. It does not change: what is
 * written to the file makes another one. A resource has one version only, so nobody looks for another. For
 * any thread.
 */
final class ServedFile {

    /** How long nobody has to look whether there is another version. */
    static final long FRESH_NANOS = 1_000_000_000L;

    /** When a look ahead of time is due, which so has a quarter of a second to be done in. */
    private static final long LOOK_NANOS = FRESH_NANOS * 3 / 4;

    /** So often is written down that it is used: a cache line that all loops write to is slow. */
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
     * @param settled whether another content of the file will be another version
     * @param now     before it was looked at
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

    /** {@return what can be sent at once; null if a file has to be opened, or read, first} */
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

    /** {@return what a request without fields gets} */
    Outcome whole() {
        FileContent content = contents[Coding.IDENTITY.ordinal()];
        return new Outcome(Kind.WHOLE, content.variant(), 0, content.variant().length());
    }

    boolean isFresh(long now) {
        return stored == null || now - lookedAt < FRESH_NANOS;
    }

    /** Whether it was looked at so lately that another look, ahead of time, need not be. */
    boolean isNew(long now) {
        return now - lookedAt < LOOK_NANOS;
    }

    /** Whether this is still what the file is, and another content cannot have come to look the same. */
    boolean isOf(StoredFile now) {
        return settled && stored.equals(now);
    }

    /** Whether a look is soon due that nobody has begun; counts as beginning it. */
    boolean beginLook(long now) {
        boolean due = stored != null && now - lookedAt > LOOK_NANOS;
        return due && !looking.get() && looking.compareAndSet(false, true);
    }

    /** It was looked at, and is the same. */
    void looked(long now) {
        lookedAt = now;
        looking.set(false);
    }

    /** {@return how much memory it takes; 0 if its content is in files} */
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
