package org.microhttp.extras.files;

import java.nio.file.attribute.FileTime;

/** What a folder has under a name; of a link it is what that leads to. */
record FolderItem(String name, boolean isFolder, long size, FileTime modified) {
}
