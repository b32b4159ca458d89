/**
 * An embeddable HTTP/1.1 server on one event loop. The reading tour starts at the package's own page.
 */
module org.microhttp {
    exports org.microhttp;
}
