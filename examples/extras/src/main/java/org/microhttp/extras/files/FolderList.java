package org.microhttp.extras.files;

import java.util.List;

/**
 * What a folder has and may be served.
 *
 * @param items in no order
 * @param more  names that it has besides, which were not looked at
 */
record FolderList(List<FolderItem> items, long more) {
}
