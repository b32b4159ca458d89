package notes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A note.
 *
 * @param id    1 or more
 * @param title of 1 to 100 characters
 * @param text  of up to 10,000 characters
 * @param file  the name of the file that was uploaded to it; null if there is none
 */
record Note(long id, String title, String text, String file) {

    private static final int MAX_TITLE = 100;
    private static final int MAX_TEXT = 10_000;

    /** @throws IllegalArgumentException if title or text is too long; its message is for the client */
    Note {
        boolean titled = !title.isBlank() && title.length() <= MAX_TITLE;
        check(titled, "a title has 1 to " + MAX_TITLE + " characters");
        check(text.length() <= MAX_TEXT, "a text has up to " + MAX_TEXT + " characters");
    }

    /**
     * Makes a note of what a client sent.
     *
     * @param json what a {@code JsonReader} has read
     * @throws IllegalArgumentException if it is no note; its message is for the client
     */
    static Note of(long id, Object json, String file) {
        check(json instanceof Map<?, ?> members && members.keySet().equals(Set.of("title", "text"))
                        && members.values().stream().allMatch(String.class::isInstance),
                "a note is an object of a title and a text, both strings");
        var members = (Map<?, ?>) json;
        return new Note(id, (String) members.get("title"), (String) members.get("text"), file);
    }

    /** Makes a note of what {@link #members} has put into a file. */
    static Note stored(Object json) {
        var members = (Map<?, ?>) json;
        return new Note((Long) members.get("id"), (String) members.get("title"), (String) members.get("text"),
                (String) members.get("file"));
    }

    private static void check(boolean valid, String allowed) {
        if (!valid) {
            throw new IllegalArgumentException(allowed);
        }
    }

    /** {@return what is written as JSON} */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", id);
        members.put("title", title);
        members.put("text", text);
        members.put("file", file);
        return members;
    }

    Note withFile(String name) {
        return new Note(id, title, text, name);
    }

    boolean contains(String part) {
        return title.contains(part) || text.contains(part);
    }
}
