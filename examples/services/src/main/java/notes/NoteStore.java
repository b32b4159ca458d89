package notes;

import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.ConcurrentSkipListMap;
import json.JsonReader;
import org.microhttp.extras.forms.FormFile;
import org.microhttp.extras.routing.RequestException;

/**
 * The notes: in memory, and in a folder, where {@code 7.json} is a note and {@code 7.file} its file. One
 * thread at a time changes them, and waits for the disk; reading waits for nothing. Files that are given are
 * moved to the folder. If there is no note of a number, a method throws a 404.
 */
final class NoteStore {

    private static final int MOST = 1_000;

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
        Note note = notes.get(id);
        if (note == null) {
            throw new RequestException(404, "there is no such note");
        }
        return note;
    }

    Path file(long id) {
        return folder.resolve(id + ".file");
    }

    /** {@return the note with its id} */
    synchronized Note add(Note sent, FormFile file) throws IOException {
        if (notes.size() >= MOST) {
            throw new RequestException(507, "there may be " + MOST + " notes");
        }
        lastId++;
        return write(new Note(lastId, sent.title(), sent.text(), sent.file()), file);
    }

    synchronized Note replace(long id, Note sent) throws IOException {
        return write(new Note(id, sent.title(), sent.text(), get(id).file()), null);
    }

    synchronized Note attach(long id, FormFile file) throws IOException {
        Note old = get(id);
        return write(new Note(id, old.title(), old.text(), file.name()), file);
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

    synchronized void remove(long id) throws IOException {
        get(id);
        Files.deleteIfExists(folder.resolve(id + ".json"));
        Files.deleteIfExists(file(id));
        notes.remove(id);
    }
}
