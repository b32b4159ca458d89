package org.microhttp.extras.filesystem;

import java.nio.file.attribute.FileTime;

/** A file or folder inside a folder; for a link, all but the name are those of its target. */
public record FolderItem(String name, boolean isFolder, long size, FileTime modified) {
}
