package notes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import json.JsonReader;
import org.microhttp.tools.reporting.Json;

/**
 * The notes: in memory, and in a folder, where {@code 7.json} is a note and {@code 7.file} its file. One
 * thread at a time changes it, and waits for the disk; reading waits for nothing.
 */
final class NoteStore {

    private static final int MAX_NOTES = 1_000;

    private final Path folder;
    private final ConcurrentSkipListMap<Long, Note> notes = new ConcurrentSkipListMap<>();
    private long lastId;

    /** There are as many notes as may be. */
    static final class FullException extends IOException {

        private static final long serialVersionUID = 1;

        FullException() {
            super("there may be " + MAX_NOTES + " notes");
        }
    }

    /** Reads the notes of a folder. */
    NoteStore(Path folder) throws IOException {
        this.folder = folder;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "[0-9]*.json")) {
            for (Path file : files) {
                Note note = read(file);
                notes.put(note.id(), note);
                lastId = Math.max(lastId, note.id());
            }
        }
    }

    private static Note read(Path file) throws IOException {
        try {
            return Note.stored(JsonReader.read(Files.readAllBytes(file)));
        } catch (RuntimeException e) {
            throw new IOException(file + " is no note", e);
        }
    }

    /** {@return those whose title or text contains a text, the newest first} */
    List<Note> find(String part, int most) {
        return notes.descendingMap().values().stream()
                .filter(note -> note.contains(part))
                .limit(most)
                .toList();
    }

    /** {@return a note; null if there is none} */
    Note get(long id) {
        return notes.get(id);
    }

    /** {@return where the file of a note is} */
    Path file(long id) {
        return folder.resolve(id + ".file");
    }

    /**
     * Adds a note.
     *
     * @param json what a client sent
     * @param file the file of the note, which is moved; null for none
     */
    synchronized Note add(Object json, String fileName, Path file) throws IOException {
        if (notes.size() >= MAX_NOTES) {
            throw new FullException();
        }
        Note note = Note.of(lastId + 1, json, fileName);
        lastId++;
        if (file != null) {
            Files.move(file, file(lastId), StandardCopyOption.ATOMIC_MOVE);
        }
        return write(note);
    }

    /** Changes title and text. {@return the note; null if there is none of that number} */
    synchronized Note replace(long id, Object json) throws IOException {
        Note old = notes.get(id);
        Note replaced = Note.of(id, json, old == null ? null : old.file());
        return old == null ? null : write(replaced);
    }

    /** Gives a note a file, which is moved. {@return the note; null if there is none of that number} */
    synchronized Note attach(long id, String fileName, Path file) throws IOException {
        Note old = notes.get(id);
        if (old == null) {
            return null;
        }
        Files.move(file, file(id), StandardCopyOption.ATOMIC_MOVE);
        return write(old.withFile(fileName));
    }

    /** Removes a note and its file. {@return whether there was one} */
    synchronized boolean remove(long id) throws IOException {
        Files.deleteIfExists(folder.resolve(id + ".json"));
        Files.deleteIfExists(file(id));
        return notes.remove(id) != null;
    }

    /** A reader of the file sees the old note or the new one, also after a crash of this program. */
    private Note write(Note note) throws IOException {
        Path part = folder.resolve(".note");
        Files.writeString(part, Json.text(note.members()), StandardCharsets.US_ASCII);
        Files.move(part, folder.resolve(note.id() + ".json"), StandardCopyOption.ATOMIC_MOVE);
        notes.put(note.id(), note);
        return note;
    }
}
