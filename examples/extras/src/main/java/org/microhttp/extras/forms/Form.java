package org.microhttp.extras.forms;

import java.util.List;
import java.util.Map;

/**
 * A form. Names and values are as the client sent them. It is complete, unless a {@link FileReceiver}'s
 * subscriber has cancelled: then it ends with that file.
 */
public final class Form {

    private final Map<String, List<String>> fields;
    private final List<FormFile> files;

    Form(Map<String, List<String>> fields, List<FormFile> files) {
        this.fields = fields;
        this.files = List.copyOf(files);
    }

    /**
     * {@return the first value of a field, or another if there is none}
     *
     * @param name of the field
     * @param otherwise may be null
     */
    public String get(String name, String otherwise) {
        return fields.containsKey(name) ? fields.get(name).get(0) : otherwise;
    }

    /**
     * {@return all values of a field in their order; empty if there are none}
     *
     * @param name of the field
     */
    public List<String> all(String name) {
        return List.copyOf(fields.getOrDefault(name, List.of()));
    }

    /**
     * {@return the first file of a field; null if there is none, as where the user has chosen none}
     *
     * @param field its name
     */
    public FormFile file(String field) {
        return files.stream().filter(file -> file.field().equals(field)).findFirst().orElse(null);
    }

    /** {@return all files in their order, unmodifiable} */
    public List<FormFile> files() {
        return files;
    }
}
