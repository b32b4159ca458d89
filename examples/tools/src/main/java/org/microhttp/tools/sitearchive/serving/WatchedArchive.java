package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;

/**
 * An archive that may be replaced while it is served: tells one version of its file from another, and opens
 * and checks the new one aside. For one thread at a time.
 */
final class WatchedArchive {

    private final Path file;
    private final ServeSettings settings;

    /** Gets lines for whoever looks after the server. */
    private final Consumer<String> messages;

    /** Has what is replaced. */
    private final OldArchives old;

    private Site site;

    /** The version that was looked at last; null if it may have changed since unseen. */
    private FileVersion seen;

    /** Null if the last that was opened was good. */
    private RefusedArchive refusal;

    /** The file that is open, by device and inode. */
    private Object openKey;
    private boolean gone;
    private long previousUntil;

    /** @throws IOException if it cannot be read, or is not whole */
    WatchedArchive(Path file, ServeSettings settings, OldArchives old, Consumer<String> messages)
            throws IOException {
        this.file = file;
        this.settings = settings;
        this.old = old;
        this.messages = messages;
        FileVersion version = FileVersion.followed(file);
        boolean settled = version.isSettled();
        OpenArchive opened = open(System.nanoTime());
        site = new Site(file, opened, null);
        remember(opened.version(), settled && version.equals(opened.version()));
    }

    Site site() {
        return site;
    }

    /** Looks whether there is another version. Blocks while that is checked. */
    void look(long now) {
        if (site.previous() != null && now - previousUntil >= 0) {
            old.add(file, site.previous(), now);
            site = new Site(file, site.current(), null);
        }
        FileVersion version = version();
        boolean known = version == null || version.equals(seen)
                || refusal != null && refusal.holds(version, now);
        if (known) {
            return;
        }
        boolean inPlace = version.key().equals(openKey);
        boolean served = inPlace && !isInMemory();
        boolean settled = version.isSettled();
        OpenArchive current = site.current();
        if (served && current != null && current.isStillWhole(version)) {
            remember(version, settled);
        } else if (served || settled && (settings.watch() || current == null)) {
            // what is being written is looked at when that is over, but for what is served from it
            replace(version, settled, now);
        }
    }

    /** Null if there is no file. */
    private FileVersion version() {
        try {
            FileVersion version = FileVersion.followed(file);
            gone = false;
            return version;
        } catch (IOException e) {
            if (!gone) {
                String reason = e instanceof NoSuchFileException ? "gone" : InputFile.reason(e);
                messages.accept(file + " is " + reason + "; the archive that was there is served on");
            }
            gone = true;
            return null;
        }
    }

    private void replace(FileVersion version, boolean settled, long now) {
        OpenArchive opened;
        try {
            opened = open(now);
        } catch (IOException | OutOfMemoryError e) {
            refuse(version, RefusedArchive.of(version, settled, e, now), now);
            return;
        }
        boolean inPlace = opened.version().key().equals(openKey);
        remember(opened.version(), settled && version.equals(opened.version()));
        OpenArchive before = site.current();
        boolean same = before != null && before.digest().equals(opened.digest());
        if (inPlace && isInMemory() && same) {
            // its name, or who may read it, was changed, and nothing in it
            opened.release();
            return;
        }
        messages.accept(file + " is new, and is served now");
        // what was written over has nothing left to answer with
        boolean writtenOver = inPlace && !isInMemory();
        boolean lasts = before != null && !writtenOver && !settings.keepPrevious().isZero();
        old.add(file, site.previous(), now);
        // the archive before may stay in memory, and no other
        if (isInMemory()) old.hurry(file, now);
        if (writtenOver) {
            old.addDamaged(file, before, now);
        } else if (!lasts) {
            old.add(file, before, now);
        }
        previousUntil = now + settings.keepPrevious().toNanos();
        site = new Site(file, opened, lasts ? before : null);
    }

    /** Where there is no room for it, clients that are still sent an older one have to give way. */
    private OpenArchive open(long now) throws IOException {
        try {
            return OpenArchive.open(file, settings);
        } catch (BrokenArchiveException e) {
            throw e;
        } catch (IOException | OutOfMemoryError e) {
            if (!isInMemory() || !old.hurry(file, now)) {
                throw e;
            }
            old.cut(now);
            return OpenArchive.open(file, settings);
        }
    }

    private void refuse(FileVersion version, RefusedArchive refused, long now) {
        boolean damaged = version.key().equals(openKey) && !isInMemory();
        boolean said = damaged ? site.current() == null : refused.isLike(refusal);
        refusal = refused;
        String served = damaged
                ? "it was changed in place, so all is answered with 500 until there is a good one"
                : "the archive before is served on";
        if (!said) {
            messages.accept(file + " is refused: " + refused.reason() + "; " + served);
        }
        if (damaged) {
            old.addDamaged(file, site.current(), now);
            old.add(file, site.previous(), now);
            site = new Site(file, null, null);
        }
    }

    private boolean isInMemory() {
        return settings.kind() == ArchiveBytes.Kind.MEMORY;
    }

    /** @param settled whether a later write gives another version */
    private void remember(FileVersion version, boolean settled) {
        seen = settled ? version : null;
        openKey = version.key();
        refusal = null;
    }

    /** Lets go of all. */
    void close(long now) {
        old.add(file, site.previous(), now);
        old.add(file, site.current(), now);
        site = new Site(file, null, null);
    }
}
