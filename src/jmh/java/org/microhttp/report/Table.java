package org.microhttp.report;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Writes every table, in Markdown. */
final class Table {

    /** A column, and what it has in a row: nothing, if that is empty. */
    record Column<R>(String title, Function<R, String> cell) { }

    private Table() { }

    /** The columns are of numbers, and what each row begins with is text. */
    static <R> String of(String title, List<R> rows, Function<R, String> first, List<Column<R>> columns) {
        StringBuilder text = new StringBuilder("| " + title + " |");
        columns.forEach(column -> text.append(" ").append(column.title).append(" |"));
        text.append("\n|---|").append("---:|".repeat(columns.size())).append("\n");
        for (R row : rows) {
            text.append("| ").append(first.apply(row)).append(" |");
            for (Column<R> column : columns) {
                String cell = column.cell.apply(row);
                text.append(cell.isEmpty() ? "" : " " + cell).append(" |");
            }
            text.append("\n");
        }
        return text.append("\n").toString();
    }

    /** Likewise, of columns that are alike. */
    static <R, C> List<Column<R>> columns(List<C> columns, Function<C, String> title,
                                          BiFunction<R, C, String> cell) {
        return columns.stream()
                .map(one -> new Column<R>(title.apply(one), row -> cell.apply(row, one))).toList();
    }
}
