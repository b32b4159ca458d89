package org.microhttp.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A result file: lines {@code # key: value} that say what was measured on what, and the rows of one or more
 * tables. A line without a number names the columns of the lines that follow it.
 */
public record ResultFile(Map<String, String> facts, List<Row> rows) {

    private static final String NUMBER = "-?[0-9.]+";

    public static ResultFile read(Path file) throws IOException {
        ResultFile result = new ResultFile(new LinkedHashMap<>(), new ArrayList<>());
        String[] columns = {};
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("# ")) {
                String[] fact = line.substring(2).split(": ", 2);
                result.facts.put(fact[0], fact[1]);
                continue;
            }
            String[] fields = line.split("\t", -1);
            boolean names = List.of(fields).stream().noneMatch(field -> field.matches(NUMBER));
            if (names) {
                columns = fields;
            } else {
                result.rows.add(row(columns, fields));
            }
        }
        return result;
    }

    private static Row row(String[] columns, String[] fields) {
        if (columns.length != fields.length) {
            throw new IllegalArgumentException("not " + columns.length + " columns: " + List.of(fields));
        }
        Row row = new Row();
        for (int i = 0; i < columns.length; i++) row.values().put(columns[i], fields[i]);
        return row;
    }

    public void write(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        facts.forEach((key, value) -> lines.add("# " + key + ": " + value));
        Set<String> columns = Set.of();
        for (Row row : rows) {
            if (!row.values().keySet().equals(columns)) lines.add(String.join("\t", row.values().keySet()));
            columns = row.values().keySet();
            lines.add(String.join("\t", row.values().values()));
        }
        Files.write(file, lines);
    }
}
