package org.microhttp.tools.sitearchive;

import java.util.List;
import org.microhttp.Header;

/** The fields of every answer that have browsers be careful. */
final class SecurityFields {

    static final List<Header> USUAL = List.of(
            new Header("Referrer-Policy", "strict-origin-when-cross-origin"),
            new Header("X-Content-Type-Options", "nosniff"),
            new Header("X-XSS-Protection", "1; mode=block"),
            new Header("X-Frame-Options", "sameorigin"));

    /** For a site by TLS alone: a browser then comes by HTTPS for a year (RFC 6797 §6.1). */
    static final List<Header> TLS = List.of(
            new Header("Strict-Transport-Security", "max-age=31536000"),
            new Header("Content-Security-Policy", "upgrade-insecure-requests"));

    private SecurityFields() {
    }
}
