/**
 * The command {@code SiteArchive archive}: {@code ArchiveCommand}, with {@code ArchiveFlags} and
 * {@code ArchiveSettings}.
 * <ul>
 * <li>{@code SourceScan} finds {@code SourceFile}s by {@code SourceNames}</li>
 * <li>{@code SourceContents} reads and encodes them in the {@code WorkFolder}, several in {@code Parallel},
 *     each a {@code StoredPiece}</li>
 * <li>{@code SitePaths} says which answers for what, with the {@code Redirect}s of {@code RedirectLines}</li>
 * <li>{@code SettingLine} is a line of redirects or of such rules, and says what is wrong with it</li>
 * <li>{@code SiteRecords} has what comes of it, with the {@code AnswerFields} by {@code FieldRules};
 *     {@code ArchiveFile} writes that, {@code ArchiveSummary} tells of it</li>
 * </ul>
 */
package org.microhttp.tools.sitearchive.making;
