package org.microhttp.extras.uploads;

import java.nio.file.Path;
import org.microhttp.Response;

/** What became of an upload. Unless it is {@code Stored}, nothing of it is left. */
public sealed interface UploadResult {

    /**
     * {@return a response that says so} A program may make its own instead. Give it to one callback.
     */
    Response response();

    /**
     * The file is complete; its response is a 201.
     *
     * @param file where it is
     * @param size how many bytes it has
     */
    record Stored(Path file, long size) implements UploadResult {

        @Override
        public Response response() {
            return Response.text(201, "stored\n");
        }
    }

    /**
     * The body is larger than allowed; its response is a 413.
     *
     * @param maxSize how many bytes are allowed
     */
    record TooLarge(long maxSize) implements UploadResult {

        @Override
        public Response response() {
            return Response.text(413, "a file may have " + maxSize + " bytes\n");
        }
    }

    /**
     * The program has refused the body before it was received; the response is the program's.
     *
     * @param response as it was given
     */
    record Refused(Response response) implements UploadResult {
    }

    /**
     * The client has gone or was too slow, the file could not be written or moved, or the executor has
     * refused the work; its response is a 500, and the server logs the cause.
     *
     * @param cause what happened; if the incomplete file could not be deleted, that is suppressed in it
     */
    record Failed(Throwable cause) implements UploadResult {

        @Override
        public Response response() {
            return Response.failed(cause);
        }
    }
}
