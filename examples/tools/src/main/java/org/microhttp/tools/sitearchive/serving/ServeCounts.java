package org.microhttp.tools.sitearchive.serving;

/**
 * How many answers were given since the start, by what they are, and the bytes of their bodies.
 *
 * @param whole       contents as a whole (200)
 * @param part        ranges of contents (206)
 * @param notModified what the client has already (304)
 * @param missing     what is not there (404)
 * @param failed      what an archive could not give, because it is damaged (500)
 * @param other       redirects, and refusals by the request's method or fields
 * @param bytes       of bodies that were given to the server to be sent; none for HEAD
 */
public record ServeCounts(
        long whole, long part, long notModified, long missing, long failed, long other, long bytes) {

    /** {@return all answers} */
    public long answers() {
        return whole + part + notModified + missing + failed + other;
    }
}
