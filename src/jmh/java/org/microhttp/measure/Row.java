package org.microhttp.measure;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A line of a result file: values by the names of their columns, in the order of the columns. */
public record Row(Map<String, String> values) {

    public Row() { this(new LinkedHashMap<>()); }

    public Row set(String column, String format, Object... value) {
        values.put(column, String.format(Locale.ROOT, format, value));
        return this;
    }

    /** {@return the value, or an empty text where there is no such column} */
    public String text(String column) { return values.getOrDefault(column, ""); }

    /** {@return the value, or 0 where there is no such column} */
    public double number(String column) {
        String text = text(column);
        return text.isEmpty() ? 0 : Double.parseDouble(text);
    }
}
