package org.microhttp.extras.filesystem;

import java.util.List;

/**
 * What a folder has and may be served.
 *
 * @param items in no order
 * @param more  names that it has besides, which were not looked at
 */
public record FolderList(List<FolderItem> items, long more) {
}
