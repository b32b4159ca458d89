package org.microhttp.extras.forms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.microhttp.Request;
import org.microhttp.extras.routing.RequestException;

/**
 * Chooses what receives a file of a form, as {@link org.microhttp.Handler#receiver} does for a body: a digest
 * or a client of an object store for example, or a body subscriber of {@code java.net.http}. See {@link
 * FormHandler#withReceiver}.
 */
@FunctionalInterface
public interface FileReceiver {

    /**
     * Chooses the subscriber of one file, before its content. Several threads may call it at once, for
     * several forms. It may block, as may the subscriber.
     * <p>
     * The subscriber is called by one thread at a time. The buffers are read-only, and the subscriber may
     * keep them. Content that it does not request is not read from the client, except for one buffer of the
     * server. If it requests nothing for {@link org.microhttp.Options#withHandlerTimeout}, the client gets a
     * 503; that a client has left meanwhile may be noticed only then. The subscriber gets exactly one last
     * signal, unless it cancels or throws:
     * <ul>
     * <li>{@code onComplete} at the end of the file; more of the form may come, and fail
     * <li>{@code onError} if the client leaves or is too slow, or if the form is malformed or above a limit
     * </ul>
     * If it cancels, nothing more of the form is read. The responder then gets the form as far as it has
     * come, with this file as the last, and its response is the last of the connection. If it throws, the
     * client gets a 500, or what a {@link RequestException} says.
     * <p>
     * If it is an {@link AutoCloseable}, it is closed once when the form is over, whatever has happened: this
     * is where it deletes what the responder has not taken.
     *
     * @param request the request, without its body
     * @param head    of the part; its file name is not null
     * @return the subscriber; null to write the file to the folder
     * @throws RequestException to refuse the form, for a media type that is not allowed for example
     * @throws IOException      if it fails; the client gets a 500
     */
    Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request, PartHead head)
            throws IOException;
}
