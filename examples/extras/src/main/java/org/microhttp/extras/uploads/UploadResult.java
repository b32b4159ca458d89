package org.microhttp.extras.uploads;

import java.nio.file.Path;
import org.microhttp.Response;

/** The result of an upload. Unless it is {@code Stored}, no file is left, except as {@code Failed} says. */
public sealed interface UploadResult {

    /**
     * {@return a response for this result} A program may make its own instead. Give it to one callback only.
     */
    Response response();

    /**
     * The file is complete; its response is a 201.
     *
     * @param file its path
     * @param size its size in bytes
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
     * @param response as given to {@link FileUpload#refused}
     */
    record Refused(Response response) implements UploadResult {
    }

    /**
     * The client has gone or was too slow, the file could not be written or moved, or the executor has
     * refused a task; its response is a 500, and the server logs the cause.
     *
     * @param cause the failure; has a suppressed exception if the incomplete file could not be deleted
     */
    record Failed(Throwable cause) implements UploadResult {

        @Override
        public Response response() {
            return Response.failed(cause);
        }
    }
}
