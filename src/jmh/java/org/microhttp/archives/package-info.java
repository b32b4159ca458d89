/**
 * SiteArchive, of the examples: the archives that it makes, and how it serves them beside servers of files.
 * {@link org.microhttp.archives.ArchiveComparison} is the description: start there. {@code ArchiveSizes} is
 * what is made of an {@code ArchivedTree}, and {@code EveryAddress} compares all that is answered with it.
 */
package org.microhttp.archives;
