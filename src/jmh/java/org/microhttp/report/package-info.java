/**
 * Tables and charts of the result files, for src/jmh/README.md. {@link org.microhttp.report.Report} is the
 * program, and says which file becomes what: start there.
 *
 * <p>{@code ComparisonTables}, {@code ResponseServerTable} and {@code BenchmarkTable} are a table or two
 * each, {@code Chart} is a chart, and {@code Figures} computes the medians and ratios that they show. {@code
 * FileTables} and {@code ArchiveTables} have a page with all figures beside them, and {@code RunFigures} for
 * theirs.
 */
package org.microhttp.report;
