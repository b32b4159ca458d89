/**
 * The file that {@code SiteArchive} makes and serves: a database of {@link org.microhttp.tools.cdb}, with
 * records of its own.
 * <ul>
 * <li>{@code ArchiveFormat} has the keys and lists, {@code PathRecord} and {@code Metadata} are values of
 *     records</li>
 * <li>{@code ArchiveBytes} are the bytes of one that is open: a file ({@code FileBytes}), memory or mappings
 *     ({@code MemoryBytes}, {@code MappedBytes}, both {@code RegionBytes}, in {@code Regions} that
 *     {@code RegionCuts} cuts), or a file of which {@code TailBytes} has the end in memory</li>
 * <li>a body is sent from a {@code BodyChannel}, which fails when the archive is cut, or a {@code BodyCheck}
 *     finds its file changed</li>
 * </ul>
 */
package org.microhttp.tools.sitearchive.format;
