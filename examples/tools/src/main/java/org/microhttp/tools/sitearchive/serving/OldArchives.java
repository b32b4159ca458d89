package org.microhttp.tools.sitearchive.serving;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Archives that no request is answered from any more, until what is sent of them was sent, or took too long
 * and is cut. For one thread at a time.
 */
final class OldArchives {

    private static final class Old {

        final Path file;
        final OpenArchive archive;

        /** When it is cut, of {@link System#nanoTime}. */
        long until;
        boolean released;

        Old(Path file, OpenArchive archive, long until) {
            this.file = file;
            this.archive = archive;
            this.until = until;
        }
    }

    private final Duration cutAfter;
    private final boolean one;
    private final Consumer<String> messages;
    private final List<Old> all = new ArrayList<>();

    /**
     * @param cutAfter how long it may take to send what was begun
     * @param one      whether only one of a file may stay, since it takes memory, and those before it are cut
     */
    OldArchives(Duration cutAfter, boolean one, Consumer<String> messages) {
        this.cutAfter = cutAfter;
        this.one = one;
        this.messages = messages;
    }

    /** @param archive null for none */
    void add(Path file, OpenArchive archive, long now) {
        if (one && archive != null) {
            hurry(file, now);
        }
        add(archive, file, now + cutAfter.toNanos());
    }

    /** Adds one that was written over, of which nothing more may be sent. */
    void addDamaged(Path file, OpenArchive archive, long now) {
        add(archive, file, now);
    }

    private void add(OpenArchive archive, Path file, long until) {
        if (archive != null) {
            all.add(new Old(file, archive, until));
        }
    }

    /**
     * Has those of a file cut next.
     *
     * @return whether there are any
     */
    boolean hurry(Path file, long now) {
        boolean any = false;
        for (Old old : all) {
            if (old.file.equals(file)) {
                old.until = now;
                any = true;
            }
        }
        return any;
    }

    /** Releases those that were added, of which no answer is made any more; cuts those whose time is over. */
    void release(long now) {
        for (Old old : all) {
            if (!old.released) {
                old.archive.release();
                old.released = true;
            }
        }
        cut(now);
    }

    /** Cuts those whose time is over, of those that were released. */
    void cut(long now) {
        all.removeIf(old -> old.released && isOver(old, now));
    }

    private boolean isOver(Old old, long now) {
        int users = old.archive.users();
        boolean late = users > 0 && now - old.until >= 0;
        if (late) {
            old.archive.cut();
            messages.accept(old.file + ": an archive that is no longer served was still sent to clients,"
                    + " and this was cut; answers: " + users);
        }
        return late || users == 0;
    }
}
