/**
 * Files to serve: {@link org.microhttp.extras.files.FileHandler}, as {@code FileSettings} say, which
 * {@code FileFlags} ask for.
 * <ul>
 * <li>names: {@code FileTree} finds and opens what is below the
 *     root and nothing else, as {@code FoundFile}s</li>
 * <li>answers: {@code FileHandler} gives what is known at once, {@code FileAnswers} looks at files for the
 *     rest; {@code FolderPages} makes a {@code FolderPage} of the {@code FolderList} of a folder,
 *     its {@code FolderItem}s, when the {@code ListingQueue} has room for that; {@code FailureReport} tells
 *     why there is none</li>
 * <li>what is kept: {@code FileLoader} makes a {@code ServedFile} of a {@code StoredFile},
 *     {@code FileCache} keeps it; it has a {@code FileContent} for each variant, in memory or as an
 *     {@code OpenFile}</li>
 * <li>compressed variants: {@code VariantCache} knows where they are</li>
 * </ul>
 * What a request is answered with, {@link org.microhttp.extras.representation} decides.
 */
package org.microhttp.extras.files;
