/**
 * The tool {@code FileServer}: {@link fileserver.FileServer} is the program, {@code FileFlags} has its own
 * flags, {@code FileSettings} what they ask for.
 * <ul>
 * <li>names: {@code FileTree} finds and opens what is below the
 *     root and nothing else, as {@code FoundFile}s</li>
 * <li>answers: {@code FileHandler} gives what is known at once, {@code FileAnswers} looks at files for the
 *     rest; {@code FolderPages} makes a {@code FolderPage} of the {@code FolderList} of a folder, when the
 *     {@code ListingQueue} has room for that; {@code FailureReport} tells why there is none</li>
 * <li>what is kept: {@code FileLoader} makes a {@code ServedFile} of a {@code StoredFile},
 *     {@code FileCache} keeps it; it has a {@code FileContent} for each variant, in memory or as an
 *     {@code OpenFile}</li>
 * <li>compressed variants: {@code VariantCache} knows where they are</li>
 * <li>{@code FileServer compress}: {@code Compressor} is the program, with {@code CompressFlags} and
 *     {@code CompressSettings}; {@code SiteScan} finds the files, {@code VariantMaker} makes their variants
 *     by an encoder, {@code CacheFolder} takes them, {@code VariantVersions} knows what they are of;
 *     {@code CompressSummary} tells of it</li>
 * </ul>
 * What a request is answered with, {@link representation} decides. The flags that all servers have, and what
 * they do, are in {@link servertool}.
 */
package fileserver;
