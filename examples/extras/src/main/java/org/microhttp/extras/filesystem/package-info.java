/**
 * Files for the file handler and the tools; exported to the module of the tools only. {@code FileTree} finds
 * and opens only files below a root, as {@code FoundFile}s, and lists a folder as a {@code FolderList} of
 * {@code FolderItem}s. {@code FileVersion} tells whether a file is still the same, {@code FileName} whether
 * its name can be text. {@code VariantCache} finds compressed variants. A {@code CountedFile} is an open file
 * with several users.
 */
package org.microhttp.extras.filesystem;
