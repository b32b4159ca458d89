package org.microhttp.extras.filesystem;

import java.nio.file.attribute.FileTime;

/** What a folder has under a name; of a link it is what that leads to. */
public record FolderItem(String name, boolean isFolder, long size, FileTime modified) {
}
