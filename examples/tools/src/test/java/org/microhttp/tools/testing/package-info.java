/**
 * What only tests of tools need: {@code ToolProcesses} run a tool, and end with the test; {@code ToolRun}
 * calls one in this JVM; a {@code CompressedSite} is compressed, and {@code ManyFiles} are also served;
 * {@code CdbRecords} are in a database, {@code CountingCdbBytes} are one in memory, an {@code ArchiveSite}
 * serves a {@code HandMadeArchive}, and a {@code SwappedSite} many; a {@code HoledFile} is a large one that
 * takes little room, and {@code TinyCdb} runs the program for them.
 */
package org.microhttp.tools.testing;
