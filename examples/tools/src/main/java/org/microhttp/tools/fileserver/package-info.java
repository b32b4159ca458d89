/**
 * The tool {@code FileServer}: {@link org.microhttp.tools.fileserver.FileServer} is the program, and
 * {@link org.microhttp.extras.files} serves.
 * <p>
 * {@code FileServer compress}: {@code Compressor} is the program, with {@code CompressFlags} and
 * {@code CompressSettings}; {@code SiteScan} finds the files, {@code VariantMaker} makes their variants by an
 * encoder, {@code CacheFolder} takes them, {@code VariantVersions} knows what they are of;
 * {@code CompressSummary} tells of it. The flags that all servers have, and what they do, are in
 * {@link org.microhttp.tools.servertool}.
 */
package org.microhttp.tools.fileserver;
