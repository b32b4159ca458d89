package notes;

import java.util.Map;
import json.JsonReader;
import org.microhttp.extras.forms.Form;
import org.microhttp.extras.routing.RequestException;
import org.microhttp.tools.reporting.Json;

/** A note. Its id is 0 before it is stored; its file is the name of what was uploaded to it, or null. */
record Note(long id, String title, String text, String file) {

    /** @throws RequestException if title or text is too long */
    Note {
        if (title.isBlank() || title.length() > 100) {
            throw new RequestException("a title has 1 to 100 characters");
        }
        if (text.length() > 10_000) {
            throw new RequestException("a text has up to 10000 characters");
        }
        // some clients send folders, too
        file = file == null ? null : file.replaceFirst("(?s).*[/\\\\]", "");
    }

    static Note of(byte[] json) {
        if (JsonReader.read(json) instanceof Map<?, ?> members && members.size() == 2
                && members.get("title") instanceof String title
                && members.get("text") instanceof String text) {
            return new Note(0, title, text, null);
        }
        throw new RequestException("a note is an object of a title and a text, both strings");
    }

    static Note of(Form form) {
        String file = form.file("file") == null ? null : form.file("file").name();
        return new Note(0, form.get("title", ""), form.get("text", ""), file);
    }

    String json() {
        return "{\"id\":%s,\"title\":%s,\"text\":%s,\"file\":%s}".formatted(
                id, Json.text(title), Json.text(text), Json.text(file));
    }
}
