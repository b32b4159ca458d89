/**
 * What is written beside the code is true. {@code ReadmeTest}: the programs of documents do what is shown.
 * {@code DocumentsTest}: links, commands and names lead somewhere. {@code RequirementsTest}: each
 * requirement has a test and a planted fault. {@code PromisesTest}: each promise has a test. {@code
 * MigratingTest}: the page for those who come from 0.x. {@code ReportTest} and {@code ResultPagesTest}: pages
 * of results are those of the results. {@code LoadScriptsTest}: scripts run in their shortest form. {@code
 * EntriesTest}: programs for public comparisons compile.
 */
package org.microhttp.checks.documents;
