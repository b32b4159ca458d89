/**
 * What is written beside the code is true. {@code ReadmeTest}: the programs of documents do what is shown.
 * {@code DocumentsTest}: links, commands and names lead somewhere. {@code ConformancePageTest}: each
 * requirement has a test and a planted fault. {@code PromisesTest}: each promise has a test. {@code
 * MigratingTest}: the page for those who come from 0.x. {@code ApiTest}: the API is that of the last release,
 * but for the changes. {@code InsideTest}: the picture of the classes. {@code PicturesTest}: every text of a
 * picture can be read. {@code JarTest}: the jar is small, and needs nothing.
 * {@code RepositoryFilesTest}: what editors and GitHub read. {@code ReadmeTablesTest}, among the library's
 * classes, compares tables of options, codes and events.
 */
package org.microhttp.documents;
