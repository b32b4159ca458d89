/**
 * The file that {@code SiteArchive} makes and serves: a database of {@link org.microhttp.tools.cdb}, with
 * records of its own.
 * <p>
 * Its text is UTF-8. The id of a content, or of fields, is the SHA-256 of its bytes in base64url without
 * padding (RFC 4648 §5). These are the keys and values, in this order, sorted by key within a kind:
 * <ul>
 * <li>{@code format}: {@code microhttp site archive 1}, and a line {@code hosts} if keys have hosts
 * <li>{@code C} and id: a content
 * <li>{@code M} and id: fields: a line of the status, and lines {@code Name: value}
 * <li>{@code P} and path: for each coding ({@code identity}, {@code gzip}, {@code br}, {@code zstd}) a line:
 *     coding, id of the fields, id of the content; a redirect has {@code Location} and the empty content
 * <li>{@code W} and folder: such lines for the folder's {@code _wildcard.*}
 * <li>{@code N} and folder: such lines for the folder's {@code _404.html}
 * <li>{@code files}, {@code folders}: paths, one per line; {@code files} without {@code _404.html},
 *     {@code _wildcard.*} and {@code _redirects}
 * <li>{@code digest}: the id of all bytes from position 2048 up to this record
 * </ul>
 * With hosts, a path is {@code //example.org/css/main.css}.
 * <p>
 * The classes:
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
