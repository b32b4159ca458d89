package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.microhttp.extras.filesystem.FileVersion;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/** All archives that are served: one, or one for each host in a folder. For one thread at a time. */
final class SiteArchives {

    private static final String SUFFIX = ".cdb";
    private static final String NAMES = "HOST" + SUFFIX + ", with the host in lower case, and "
            + ArchiveFormat.DEFAULT_HOST + SUFFIX;

    private final ServeSettings settings;
    private final Consumer<String> messages;
    private final Map<String, WatchedArchive> byHost = new HashMap<>();

    private final OldArchives old;

    /** The files of the folder, by their hosts, as listed last. */
    private Map<String, Path> files = Map.of();

    /** Names in the folder that are of no host. */
    private final Set<String> others = new HashSet<>();

    private final Map<String, RefusedArchive> refusals = new HashMap<>();

    /** That of the folder when it was listed; null if it may have changed since unseen. */
    private FileVersion listed;
    private boolean gone;

    /** @throws IOException if one of them cannot be served; its message names it */
    SiteArchives(ServeSettings settings, Consumer<String> messages) throws IOException {
        this.settings = settings;
        this.messages = messages;
        boolean one = settings.kind() == ArchiveBytes.Kind.MEMORY;
        old = new OldArchives(settings.cutAfter(), one, messages);
        boolean opened = false;
        try {
            if (settings.archive() != null) {
                open(ArchiveFormat.DEFAULT_HOST, settings.archive());
            } else {
                openFolder();
            }
            opened = true;
        } finally {
            if (!opened) {
                close();
                releaseOld();
            }
        }
    }

    private void open(String host, Path file) throws IOException {
        try {
            byHost.put(host, new WatchedArchive(file, settings, old, messages));
        } catch (IOException | OutOfMemoryError e) {
            throw new IOException(refused(file, e), e);
        }
    }

    private void openFolder() throws IOException {
        try {
            list();
        } catch (IOException e) {
            throw new IOException(
                    "the folder " + settings.archives() + " cannot be read: " + InputFile.folderReason(e), e);
        }
        for (Map.Entry<String, Path> file : files.entrySet()) {
            open(file.getKey(), file.getValue());
        }
        if (byHost.isEmpty()) {
            throw new IOException("the folder " + settings.archives() + " has no archive; allowed: " + NAMES);
        }
    }

    /** Finds the files that are named for a host, if the folder has changed; of others it tells once. */
    private void list() throws IOException {
        FileVersion version = FileVersion.followed(settings.archives());
        if (version.equals(listed)) {
            return;
        }
        Map<String, Path> found = new HashMap<>();
        try (var stream = Files.newDirectoryStream(settings.archives(), "*" + SUFFIX)) {
            for (Path file : stream) {
                String name = file.getFileName().toString();
                String host = name.substring(0, name.length() - SUFFIX.length());
                if (ArchiveFormat.isHost(host)) {
                    found.put(host, file);
                } else if (!name.startsWith(".") && others.add(name)) {
                    messages.accept(file + " is not served; allowed: " + NAMES);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        files = found;
        listed = version.isSettled() ? version : null;
    }

    /** {@return what is served now} */
    Sites sites() {
        Map<String, Site> sites = new HashMap<>();
        byHost.forEach((host, archive) -> sites.put(host, archive.site()));
        return new Sites(sites);
    }

    /** Lets go of archives that are not among {@link #sites} any more, once no request can find them. */
    void releaseOld() {
        old.release(System.nanoTime());
    }

    /** Looks for what is new. Blocks while that is checked. */
    void look(long now) {
        if (settings.archives() != null && settings.watch()) {
            lookForHosts(now);
        }
        byHost.values().forEach(archive -> archive.look(now));
    }

    private void lookForHosts(long now) {
        try {
            list();
            gone = false;
        } catch (IOException e) {
            if (!gone) {
                messages.accept("the folder " + settings.archives() + " cannot be read: "
                        + InputFile.folderReason(e) + "; the archives that were there are served on");
            }
            gone = true;
            return;
        }
        for (String host : List.copyOf(byHost.keySet())) {
            if (!files.containsKey(host)) {
                messages.accept("the archive of " + host + " is gone, and no longer served");
                byHost.remove(host).close(now);
            }
        }
        files.forEach((host, file) -> {
            if (!byHost.containsKey(host)) {
                openNew(host, file, now);
            }
        });
    }

    private void openNew(String host, Path file, long now) {
        FileVersion version;
        try {
            version = FileVersion.followed(file);
        } catch (IOException e) {
            // the folder will be listed again
            return;
        }
        RefusedArchive before = refusals.get(host);
        if (!version.isSettled() || before != null && before.holds(version, now)) {
            return;
        }
        try {
            byHost.put(host, new WatchedArchive(file, settings, old, messages));
            refusals.remove(host);
            messages.accept(file + " is new, and is served now");
        } catch (IOException | OutOfMemoryError e) {
            RefusedArchive refusal = RefusedArchive.of(version, true, e, now);
            refusals.put(host, refusal);
            if (!refusal.isLike(before)) {
                messages.accept(refused(file, e));
            }
        }
    }

    private static String refused(Path file, Throwable cause) {
        return "the archive " + file + " is refused: " + InputFile.reason(cause);
    }

    void close() {
        long now = System.nanoTime();
        byHost.values().forEach(archive -> archive.close(now));
        byHost.clear();
    }
}
