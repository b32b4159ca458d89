/**
 * Compares two versions of the library in one process, without sockets, and so without the kernel, which
 * costs several times what the library does and hides what a change costs. {@link
 * org.microhttp.versions.Versions} is the program; it starts many JVMs, of
 * which each is half of a {@link org.microhttp.versions.Round}: what the compiler makes of the same code
 * differs from one JVM to the next, by more than what is looked for.
 *
 * <p>A {@code Version} is a thread that runs the event loop of one version, loaded by a class loader of its
 * own, so that each has profiles of its own. The loop has a {@code MemorySelector}, which a {@link
 * org.microhttp.versions.MemoryProvider} gave it: in each select that lets clients in memory send the
 * requests of a {@code Shape}, and between two measurements it keeps the loop waiting. Of the library only
 * its public API is used, by {@link org.microhttp.versions.MeasuredServer}, and only through {@code
 * java.nio}: the inside of a version may be built in any way.
 */
package org.microhttp.versions;
