/**
 * What only tests of the examples need: {@code ResponseServerProcesses} run a tool, and end with the test;
 * {@code LogReaders} run GoAccess and lnav on a log; {@code Representations} are resources, and requests for
 * them; a {@code CompressedSite} is compressed, a {@code FileSite} is served, and {@code ManyFiles} are both;
 * {@code CdbRecords} are in a database, {@code CdbOctets} are one in memory, an {@code ArchiveSite} serves a
 * {@code HandMadeArchive}, and a {@code SwappedSite} many; {@code ClientFrames} are bytes of WebSockets,
 * {@code DrawnFrames} drawn ones, {@code ReferenceFrames} say what {@code ReadFrames} has to make of them, a
 * {@code FrameClient} and a {@code JdkSocket} are clients, a {@code NotedSocket} is a listener, and
 * {@code SocketsServer} a program of many; a {@code HoledFile} is a large one that takes little room, and
 * {@code TinyCdb} runs the program for them; a {@code TlsSite} is served by TLS with {@code TlsFiles}, and a
 * {@code TlsClient} sees how it ends.
 */
package org.microhttp.examples.tools;
