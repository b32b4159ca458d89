/**
 * What is written beside the code is true. {@code ReadmeTest}: the programs of documents do what is shown.
 * {@code DocumentsTest}: links, commands and names lead somewhere. {@code ConformancePageTest}: each
 * requirement has a test and a planted fault. {@code PromisesTest}: each promise has a test. {@code
 * MigratingTest}: the page for those who come from 0.x; {@code OriginalProgramsTest} and
 * {@code OriginalPlatformsTest} are what was written for the original, in short. {@code PicturesTest}: every
 * text of a picture can be read.
 */
package org.microhttp.checks.documents;
