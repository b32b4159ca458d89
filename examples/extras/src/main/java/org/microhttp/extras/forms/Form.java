package org.microhttp.extras.forms;

import java.util.List;
import java.util.Map;

/**
 * A form. Names and values are as the client sent them. The form is complete, unless the subscriber of a file
 * has cancelled: then it ends with that file. See {@link FileReceiver}.
 */
public final class Form {

    private final Map<String, List<String>> fields;
    private final List<FormFile> files;

    Form(Map<String, List<String>> fields, List<FormFile> files) {
        this.fields = fields;
        this.files = List.copyOf(files);
    }

    /**
     * {@return the first value of a field, or {@code otherwise} if there is none}
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
     * {@return the first file of a field; null if there is none, as when the user has chosen none}
     *
     * @param field the name of the field
     */
    public FormFile file(String field) {
        return files.stream().filter(file -> file.field().equals(field)).findFirst().orElse(null);
    }

    /** {@return all files in their order, unmodifiable} */
    public List<FormFile> files() {
        return files;
    }
}
