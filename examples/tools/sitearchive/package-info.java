/**
 * The tool {@code SiteArchive}: a site compiled into one file, and served from it.
 * {@link sitearchive.SiteArchive} is the program.
 * <ul>
 * <li>{@code SiteArchive archive} is {@link sitearchive.making}</li>
 * <li>{@code SiteArchive serve}: {@code ServeCommand} is that command, {@code ServeFlags} has its flags,
 *     {@code ServeArguments} what they ask for, and {@code SecurityFields}; {@code ServeReport} and
 *     {@code Profile} tell of it; what answers is {@link sitearchive.serving}</li>
 * <li>the file is {@link sitearchive.format}, which both have in common</li>
 * </ul>
 */
package sitearchive;
