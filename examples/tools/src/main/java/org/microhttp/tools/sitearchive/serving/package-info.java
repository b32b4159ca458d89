/**
 * What answers from archives: {@link org.microhttp.tools.sitearchive.serving.SiteHandler}, as {@code
 * ServeSettings} say, for any
 * server.
 * <ul>
 * <li>answers: {@code SiteHandler} gives them, and counts them by a {@code SiteCounter} as
 *     {@code ServeCounts}; {@code Sites} are what is served at a moment, a {@code Site} for each
 *     {@code HostName}: the {@code OpenArchive} that is, and the one before it</li>
 * <li>what an archive answers with: a {@code PageIndex} finds a {@code SitePage}, which has a
 *     {@code PageVariant} for each coding, with its {@code AddedFields} and its {@code SiteAnswer}s;
 *     {@code ArchiveIndex} and {@code RecentPages} are what is kept of it, {@code ArchiveRecords} looks up
 *     the rest</li>
 * <li>archives that come and go: {@code SiteArchives} are all that there are, each a {@code WatchedArchive};
 *     {@code ArchiveCheck} looks at all of one before it is served, {@code PathCheck} at what its paths lead
 *     to; a {@code BrokenArchiveException} says what is wrong, a {@code RefusedArchive} remembers it;
 *     {@code UnchangedFile} sees what is written into one that is served, {@code OldArchives} are those that
 *     were replaced, while clients are still sent them</li>
 * </ul>
 */
package org.microhttp.tools.sitearchive.serving;
