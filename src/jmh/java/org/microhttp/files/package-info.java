/**
 * FileServer, of the examples, beside other servers of files on one machine. {@link
 * org.microhttp.files.FileMatrix} is the program: start there, then {@code FileRounds}, which says in what
 * order everything is measured.
 *
 * <p>{@link org.microhttp.files.FilePeer} is who is compared, {@link org.microhttp.files.FileCase} what is
 * asked of them, {@code FilePlan} how often and how long. {@code MeasuredSite} is the directory that all
 * serve, {@code ServedSite} a server that does, with its proxy for TLS, {@code FileLoad} a run of a load
 * generator, and a {@link org.microhttp.files.FileRound} what came of it: a line of the result file. {@link
 * org.microhttp.files.ColdClient} asks how long others wait for a file that is still on the disk.
 */
package org.microhttp.files;
