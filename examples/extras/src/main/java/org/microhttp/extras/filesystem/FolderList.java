package org.microhttp.extras.filesystem;

import java.util.List;

/**
 * The items of a folder that may be served.
 *
 * @param items in no order
 * @param more  how many further names the folder has; their files were not checked
 */
public record FolderList(List<FolderItem> items, long more) {
}
