package org.microhttp.extras.representation;

/** A content coding that a representation may have (RFC 9110 §8.4.1), the plain one first. */
public enum Coding {

    /** None. */
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

    /** {@return what is put behind the name of a file that has this coding; empty for the plain one} */
    public String suffix() {
        return suffix;
    }
}
