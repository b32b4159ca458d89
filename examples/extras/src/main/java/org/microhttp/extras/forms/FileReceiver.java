package org.microhttp.extras.forms;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.microhttp.Request;
import org.microhttp.extras.routing.RequestException;

/**
 * Chooses a subscriber for each file of a form, as {@link org.microhttp.Handler#receiver} does for a body: a
 * digest or a client of an object store for example, or a body subscriber of {@code java.net.http}. See
 * {@link FormHandler#withReceiver}.
 */
@FunctionalInterface
public interface FileReceiver {

    /**
     * Chooses the subscriber of one file, before its content comes. Several threads may call this method at
     * once, for several forms. It may block, as may the subscriber.
     * <p>
     * One thread at a time calls the subscriber. The buffers are read-only, and the subscriber may keep them.
     * Content that the subscriber does not request is not read from the client, except for one buffer of the
     * server. If it requests nothing for {@link org.microhttp.Options#withHandlerTimeout}, the client gets a
     * 503; a client that disconnects meanwhile may be noticed only then. The subscriber gets exactly one last
     * signal, unless it cancels or throws:
     * <ul>
     * <li>{@code onComplete} at the end of the file; the rest of the form may still fail
     * <li>{@code onError} if the client disconnects or is too slow, or the form is malformed or above a limit
     * </ul>
     * If the subscriber cancels, nothing more of the form is read. The responder then gets the form as far as
     * it has come, with this file as the last, and its response is the last of the connection. If the
     * subscriber throws, the client gets a 500, or what a {@link RequestException} says.
     * <p>
     * A subscriber that is {@link AutoCloseable} is closed once when the form is over, whatever has happened:
     * there it can delete what the responder has not taken.
     *
     * @param request the request, without its body
     * @param head    of the part; its file name is not null
     * @return the subscriber; null to write the file to the folder
     * @throws RequestException to refuse the form, for a media type that is not allowed for example
     * @throws IOException      on failure; the client gets a 500
     */
    Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request, PartHead head)
            throws IOException;
}
