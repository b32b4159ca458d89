package org.microhttp.extras.representation;

/** The content codings of representations (RFC 9110 §8.4.1), identity first. */
public enum Coding {

    /** No coding. */
    IDENTITY("identity", ""),

    /** RFC 1952. */
    GZIP("gzip", ".gz"),

    /** RFC 7932. */
    BROTLI("br", ".br"),

    /** RFC 8878. */
    ZSTD("zstd", ".zst");

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /** {@return its name in Content-Encoding and Accept-Encoding} */
    public String token() {
        return token;
    }

    /** {@return the suffix of files in this coding; empty for identity} */
    public String suffix() {
        return suffix;
    }
}
