/**
 * Files of a tool: {@code InputFile} reads a file that a flag names, {@code FileRights} says who may read it,
 * and {@code LockedFolder} has files that are not finished. {@code Encoder} makes compressed ones.
 */
package org.microhttp.tools.filesystem;
