/**
 * How much the library does for what it is given, counted and not timed. {@code CountedLibrary} compiles the
 * library's sources with a counter in every loop, method and call of the JDK, so that no code has to count
 * for itself, and no work can be forgotten. The bounds are in {@code RequestParserWorkTest}, in the
 * package of the parser. Start with {@code CountedLibrary}.
 */
package org.microhttp.work;
