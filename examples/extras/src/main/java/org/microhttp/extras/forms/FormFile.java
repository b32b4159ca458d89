package org.microhttp.extras.forms;

import java.nio.file.Path;

/**
 * A file of a form. It is deleted when the form has been answered: move it to where it is to stay.
 * Only the user that runs the server may read it, also after that.
 *
 * @param field the name of the field
 * @param name  as the client sent it: never make a path of it without a check
 * @param type  the media type as the client sent it; null if it sent none
 * @param path  where the content is now
 * @param size  how many bytes it has
 */
public record FormFile(String field, String name, String type, Path path, long size) {
}
