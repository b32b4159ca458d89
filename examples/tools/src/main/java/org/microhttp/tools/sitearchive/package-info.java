/**
 * The tool {@code SiteArchive}: a site compiled into one file, and served from it.
 * {@link org.microhttp.tools.sitearchive.SiteArchive} is the program.
 * <ul>
 * <li>{@code SiteArchive archive} is {@link org.microhttp.tools.sitearchive.making}</li>
 * <li>{@code SiteArchive serve}: {@code ServeCommand} is that command, {@code ServeFlags} has its flags,
 *     {@code ServeArguments} what they ask for, and {@code SecurityFields}; {@code ServeReport} and
 *     {@code Profile} tell of it; what answers is {@link org.microhttp.tools.sitearchive.serving}</li>
 * <li>the file is {@link org.microhttp.tools.sitearchive.format}, which both have in common</li>
 * </ul>
 */
package org.microhttp.tools.sitearchive;
