/**
 * SiteArchive, of the examples: the archives that it makes, and how it serves them beside servers of files on
 * one machine. {@link org.microhttp.archives.ArchiveMatrix} is the program: start there, then {@code
 * ArchiveSizes} for what is made, and {@code ArchiveRounds} for what is served.
 *
 * <p>{@link org.microhttp.archives.ArchivePeer} is who is compared, {@link
 * org.microhttp.archives.ArchiveCase} what is asked of them, {@code ArchivePlan} how often and how long.
 * {@code ArchivedTree} is the files, {@code MeasuredArchive} their archive, {@code ServedArchive} a server of
 * either, {@code EveryAddress} compares all that it answers, and an {@link
 * org.microhttp.archives.ArchiveSize} and an {@link org.microhttp.archives.ArchiveRound} are what came of it:
 * lines of the result file.
 */
package org.microhttp.archives;
