package org.microhttp.compare;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.microhttp.measure.Row;

/** What is asked of a server: the first columns of a line of the result, and their values. */
public record Case(Map<String, String> key) {

    /** With so many connections it takes seconds until all are made. */
    public static final int MANY = 5_000;

    /** Columns before the round that say how something was asked, not what. */
    private static final Set<String> NO_KEY = Set.of("server", "reached", "cpus");

    /** {@return the case with these columns, each followed by its value} */
    public static Case of(Object... columnsAndValues) {
        Map<String, String> key = new LinkedHashMap<>();
        for (int i = 0; i < columnsAndValues.length; i += 2) {
            key.put("" + columnsAndValues[i], "" + columnsAndValues[i + 1]);
        }
        return new Case(key);
    }

    /** {@return the case of a line that has a round} */
    public static Case of(Row row) {
        Map<String, String> key = new LinkedHashMap<>();
        for (Map.Entry<String, String> column : row.values().entrySet()) {
            if (column.getKey().equals("round")) break;
            if (!NO_KEY.contains(column.getKey())) key.put(column.getKey(), column.getValue());
        }
        return new Case(key);
    }

    public String get(String column) { return key.getOrDefault(column, ""); }

    public boolean is(String column, String value) { return get(column).equals(value); }

    /** {@return the value, or 1 where there is no such column} */
    public int number(String column) { return Integer.parseInt(key.getOrDefault(column, "1")); }

    public int connections() { return number("connections"); }

    public boolean isMany() { return connections() >= MANY; }

    public boolean isTls() { return is("transport", "TLS"); }
}
