/**
 * Files of a tool. {@code FileVersion} tells whether a file is still the same, {@code FileName} what it is
 * called, {@code FileRights} who may read it. {@code InputFile} reads a file that a flag names, and
 * {@code LockedFolder} has files that are not finished. A file that is open for several is a
 * {@code CountedFile}.
 */
package org.microhttp.extras.filesystem;
