package org.microhttp.extras.forms;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * A file of a form. A file on the disk is deleted when the form has been answered: move it to where it is to
 * stay. On POSIX file systems, only the user that runs the server may read it, also after a move.
 *
 * @param field    the name of the field
 * @param name     as the client sent it: never make a path of it without a check
 * @param type     the media type as the client sent it; null if it sent none
 * @param path     where the content is now; null if a subscriber has received it
 * @param size     how many bytes were received
 * @param receiver the subscriber that has received the content, see {@link FileReceiver}; null if the file is
 *                 on the disk
 */
public record FormFile(String field, String name, String type, Path path, long size,
        Flow.Subscriber<? super List<ByteBuffer>> receiver) {
}
