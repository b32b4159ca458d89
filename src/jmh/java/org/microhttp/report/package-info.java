/**
 * Tables and charts of the result files, for the pages in src/jmh. {@link org.microhttp.report.Report} is the
 * program, and says which file becomes what: start there.
 *
 * <p>{@code Figures} computes the medians and ratios of every comparison, {@code Table} writes every table,
 * and {@code Chart} every chart. {@code ServerTables}, {@code FileTables}, {@code
 * ArchiveTables}, {@code ResponseServerTable} and {@code BenchmarkTable} say what is in which.
 */
package org.microhttp.report;
