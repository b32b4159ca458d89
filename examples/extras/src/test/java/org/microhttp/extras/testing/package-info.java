/**
 * What tests of extras need, also those of other modules: {@code LogReaders} run GoAccess and lnav on a log;
 * {@code Representations} are resources, and requests for them; {@code ServedFiles} are the files of a
 * handler, and a {@code FileSite} those of a folder, which have {@code Rights}; a {@code PackedProgram} is in
 * jars, folders and modules;
 * {@code FormService} takes forms; {@code ClientFrames} are bytes of WebSockets, {@code DrawnFrames} drawn
 * ones, {@code ReferenceFrames} say what {@code ReadFrames} has to make of them, a {@code FrameClient} and a
 * {@code JdkSocket} are clients, a {@code NotedSocket} is a listener, and {@code SocketsServer} a program of
 * many; a {@code TlsSite} is served by TLS with {@code TlsFiles}, and a {@code TlsClient} sees how it ends.
 */
package org.microhttp.extras.testing;
