/**
 * Compares servers on one machine. {@link org.microhttp.compare.Compare} is the program. {@code Plan} says
 * which servers are measured in which cases, how often and how long, and {@code Runner} does it: it starts
 * each server on CPUs of its own, checks its answers, warms it up, and writes a line for each round.
 *
 * <p>A {@link org.microhttp.compare.Comparison} is the description of one: its servers, its cases, and what
 * must be answered. There are three:
 *
 * <ul>
 * <li>{@link org.microhttp.compare.ServerComparison}: microhttp beside other servers; a {@link
 *     org.microhttp.compare.Scenario} is what they are asked
 * <li>{@link org.microhttp.compare.FileComparison}: FileServer, of the examples, beside other servers of
 *     files; {@code MeasuredSite} is the directory that all have
 * <li>{@link org.microhttp.compare.ArchiveComparison}: SiteArchive, of the examples; {@code ArchiveSizes} is
 *     what is made of an {@code ArchivedTree}, and {@code EveryAddress} compares all answers with it
 * </ul>
 */
package org.microhttp.compare;
