package sitearchive.serving;

import files.FileVersion;
import files.InputFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import sitearchive.format.ArchiveBytes;

/**
 * An archive that may be replaced while it is served: tells one version of its file from another, and opens
 * and checks the new one aside. For one thread at a time.
 */
final class WatchedArchive {

    private final Path file;
    private final ServeSettings settings;

    /** Gets lines for whoever looks after the server. */
    private final Consumer<String> messages;

    /** What no request will ask for any more, to be released when it is no longer known. */
    private final List<OpenArchive> old = new ArrayList<>();

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
    WatchedArchive(Path file, ServeSettings settings, Consumer<String> messages) throws IOException {
        this.file = file;
        this.settings = settings;
        this.messages = messages;
        FileVersion version = FileVersion.followed(file);
        boolean settled = version.isSettled();
        OpenArchive opened = OpenArchive.open(file, settings);
        site = new Site(file, opened, null);
        remember(opened.version(), settled && version.equals(opened.version()));
    }

    Site site() {
        return site;
    }

    /** {@return the archives that were replaced since this was asked last} */
    List<OpenArchive> takeOld() {
        List<OpenArchive> all = List.copyOf(old);
        old.clear();
        return all;
    }

    /** Looks whether there is another version. Blocks while that is checked. */
    void look(long now) {
        if (site.previous() != null && now - previousUntil >= 0) {
            old.add(site.previous());
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
            opened = OpenArchive.open(file, settings);
        } catch (IOException | OutOfMemoryError e) {
            refuse(version, RefusedArchive.of(version, settled, e, now));
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
        boolean lasts = before != null && (!inPlace || isInMemory()) && !settings.keepPrevious().isZero();
        letGo(lasts ? null : before);
        letGo(site.previous());
        previousUntil = now + settings.keepPrevious().toNanos();
        site = new Site(file, opened, lasts ? before : null);
    }

    private void refuse(FileVersion version, RefusedArchive now) {
        boolean damaged = version.key().equals(openKey) && !isInMemory();
        boolean said = damaged ? site.current() == null : now.isLike(refusal);
        refusal = now;
        String served = damaged
                ? "it was changed in place, so all is answered with 500 until there is a good one"
                : "the archive before is served on";
        if (!said) {
            messages.accept(file + " is refused: " + now.reason() + "; " + served);
        }
        if (damaged) {
            letGo(site.current());
            letGo(site.previous());
            site = new Site(file, null, null);
        }
    }

    private boolean isInMemory() {
        return settings.kind() == ArchiveBytes.Kind.MEMORY;
    }

    private void letGo(OpenArchive archive) {
        if (archive != null) {
            old.add(archive);
        }
    }

    /** @param settled whether a later write gives another version */
    private void remember(FileVersion version, boolean settled) {
        seen = settled ? version : null;
        openKey = version.key();
        refusal = null;
    }

    /** Lets go of all; {@link #takeOld} has it. */
    void close() {
        letGo(site.current());
        letGo(site.previous());
        site = new Site(file, null, null);
    }
}
