package org.microhttp.tools.sitearchive.serving;

import org.microhttp.Response;

/**
 * An answer that is ready to be sent.
 *
 * @param bytes of its body
 * @param held   whether its body is in the archive, which it releases when it is done with
 */
record SiteAnswer(Response response, long bytes, boolean held) {

    /** One of the server's own, or without a body. */
    static SiteAnswer of(Response plain) {
        long bytes = plain.status() == 304 ? 0 : plain.body().length();
        return new SiteAnswer(plain, bytes, false);
    }
}
