/**
 * Constant databases (CDB) as D. J. Bernstein defined them: one file, in which a key leads to its value by
 * two reads, and which is never changed, but replaced. Programs such as {@code tinycdb} read what this
 * writes, and this reads what they write. Needs the JDK alone, and no other package of the examples.
 * <ul>
 * <li>{@code CdbWriter} writes a file</li>
 * <li>{@code CdbReader} finds {@link org.microhttp.tools.cdb.CdbValue}s in {@link
 *     org.microhttp.tools.cdb.CdbBytes}, visits all of them by a
 *     {@code CdbCursor}, and has a {@code CdbCheck} compare tables with records</li>
 * <li>{@code CdbFormat} has the numbers of the format</li>
 * </ul>
 * A file is a header of 256 pairs (position of a table, its slots), the records (length of the key, length of
 * the value, key, value), and the tables, whose slots are pairs (hash of a key, position of its record). All
 * numbers have 32 bits, so a file ends at 4 GiB.
 */
package org.microhttp.tools.cdb;
