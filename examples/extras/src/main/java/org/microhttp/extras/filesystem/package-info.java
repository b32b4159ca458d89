/**
 * Files as the handler of files and the tools see them; not exported to anybody else. {@code FileTree} finds
 * and opens what is below a root and nothing else, as {@code FoundFile}s, and lists a folder as a {@code
 * FolderList} of {@code FolderItem}s. {@code FileVersion} tells whether a file is still the same, {@code
 * FileName} what it is called. {@code VariantCache} knows where compressed variants are. A file that is open
 * for several is a {@code CountedFile}.
 */
package org.microhttp.extras.filesystem;
