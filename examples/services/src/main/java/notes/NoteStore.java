package notes;

import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.ConcurrentSkipListMap;
import json.JsonReader;
import org.microhttp.extras.forms.FormFile;

/**
 * The notes: in memory, and in a folder, where {@code 7.json} is a note and {@code 7.file} its file. One
 * thread at a time changes them, and waits for the disk; reading waits for nothing. Files that are given are
 * moved to the folder. A method returns null if there is no note of that number.
 */
final class NoteStore {

    static final int MOST = 1_000;

    private final Path folder;
    private final ConcurrentSkipListMap<Long, Note> notes = new ConcurrentSkipListMap<>();
    private long lastId;

    NoteStore(Path folder) throws IOException {
        this.folder = folder;
        try (var files = Files.newDirectoryStream(folder, "[0-9]*.json")) {
            for (Path file : files) {
                Note note = read(file);
                notes.put(note.id(), note);
                lastId = Math.max(lastId, note.id());
            }
        }
    }

    private static Note read(Path file) throws IOException {
        try {
            var members = (Map<?, ?>) JsonReader.read(Files.readAllBytes(file));
            return new Note((Long) members.get("id"), (String) members.get("title"),
                    (String) members.get("text"), (String) members.get("file"));
        } catch (RuntimeException e) {
            throw new IOException(file + " is no note", e);
        }
    }

    /** {@return those whose title or text contains a text, the newest first} */
    List<Note> find(String part, int most) {
        return notes.descendingMap().values().stream()
                .filter(note -> note.title().contains(part) || note.text().contains(part))
                .limit(most)
                .toList();
    }

    Note get(long id) {
        return notes.get(id);
    }

    Path file(long id) {
        return folder.resolve(id + ".file");
    }

    /** {@return the note with its id; null if there are too many} */
    synchronized Note add(Note sent, FormFile file) throws IOException {
        if (notes.size() >= MOST) {
            return null;
        }
        lastId++;
        return write(new Note(lastId, sent.title(), sent.text(), sent.file()), file);
    }

    synchronized Note replace(long id, Note sent) throws IOException {
        Note old = get(id);
        return old == null ? null : write(new Note(id, sent.title(), sent.text(), old.file()), null);
    }

    synchronized Note attach(long id, FormFile file) throws IOException {
        Note old = get(id);
        return old == null ? null : write(new Note(id, old.title(), old.text(), file.name()), file);
    }

    /** A reader of the file sees the old note or the new one, also after a crash of this program. */
    private Note write(Note note, FormFile file) throws IOException {
        if (file != null) {
            Files.move(file.path(), file(note.id()), StandardCopyOption.ATOMIC_MOVE);
        }
        Path part = Files.writeString(folder.resolve(".note"), note.json());
        Files.move(part, folder.resolve(note.id() + ".json"), StandardCopyOption.ATOMIC_MOVE);
        notes.put(note.id(), note);
        return note;
    }

    synchronized Note remove(long id) throws IOException {
        Files.deleteIfExists(folder.resolve(id + ".json"));
        Files.deleteIfExists(file(id));
        return notes.remove(id);
    }
}
