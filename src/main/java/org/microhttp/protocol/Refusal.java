package org.microhttp.protocol;

import java.util.Locale;

/**
 * Every reason why the server responds instead of the handler, or closes the connection without a response.
 * Each has a code, which is its name in lower case, a status, by default 400, and the broken rule. In the
 * rule of a limit, N is the limit. The log also names the option that sets the limit; a response does not,
 * because a client cannot set options.
 * <p>
 * A check reads {@code BARE_LF.refuseIf(...)}. {@code refuseIf} is a method of this class because the JIT
 * compiler does not inline methods of a Throwable such as {@link RefusalException}, and each field takes
 * about ten checks.
 */
public enum Refusal {

    BAD_PROXY_HEADER("no PROXY header, or one that breaks its rules (PROXY protocol §2)"),
    EMPTY_LINES("two empty lines before a request (RFC 9112 §2.2)"),
    BARE_CR("a CR without LF after it (RFC 9112 §2.2)"),
    BARE_LF("an LF without CR before it (RFC 9112 §2.2)"),
    CONTROL_CHARACTER("a control character in a line (RFC 9110 §5.5)"),
    BAD_METHOD("the line does not begin with a token and a space (RFC 9112 §3.1)"),
    BAD_REQUEST_LINE("not method SP target SP version (RFC 9112 §3)"),
    BAD_TARGET("the target is not visible ASCII in a form that its method allows (RFC 9112 §3.2)"),
    TARGET_USERINFO("the target has userinfo (RFC 9110 §4.2.4)"),
    BAD_VERSION("the version is not HTTP/DIGIT.DIGIT (RFC 9112 §2.3)"),
    FOLDED_FIELD("a line starts with white space (RFC 9112 §5.2)"),
    SPACE_AFTER_NAME("white space between a field name and its colon (RFC 9112 §5.1)"),
    BAD_FIELD_NAME("a field name that is not a token (RFC 9110 §5.1)"),
    MISSING_COLON("a field line without a colon (RFC 9112 §5)"),
    MISSING_HOST("HTTP/1.1 without a Host field (RFC 9112 §3.2)"),
    REPEATED_HOST("more than one Host field (RFC 9112 §3.2)"),
    COMMA_IN_AUTHORITY("a comma in Host or in the target's authority, for a proxy a list (RFC 9110 §5.3)"),
    BAD_HOST("the Host field is not host [ \":\" port ] (RFC 9110 §7.2)"),
    REPEATED_CONTENT_TYPE("more than one Content-Type field (RFC 9110 §8.3)"),
    REPEATED_CONTENT_LENGTH("more than one Content-Length field (RFC 9112 §6.3)"),
    BAD_CONTENT_LENGTH("Content-Length is not 1 to 18 digits (RFC 9110 §8.6)"),
    LENGTH_AND_CODING("both Content-Length and Transfer-Encoding (RFC 9112 §6.3)"),
    CODING_IN_HTTP_1_0("HTTP/1.0 has no Transfer-Encoding (RFC 9112 §6.1)"),
    BAD_CONNECTION("Connection is not a list of tokens (RFC 9110 §7.6.1)"),
    BAD_CODING("Transfer-Encoding is not a list of codings (RFC 9112 §6.1)"),
    CHUNKED_PARAMETER("chunked takes no parameter (RFC 9112 §7.1)"),
    CHUNKED_NOT_LAST("chunked is not the last coding, or comes twice (RFC 9112 §6.3)"),
    TRACE_WITH_BODY("TRACE must not have a body (RFC 9110 §9.3.8)"),
    BAD_UPGRADE("no Upgrade to this protocol is asked for, in HTTP/1.1 without a body (RFC 9110 §7.8)"),
    BAD_CHUNK_SIZE("a chunk size is not hexadecimal digits (RFC 9112 §7.1)"),
    BAD_CHUNK_EXTENSION("a chunk extension breaks its grammar (RFC 9112 §7.1.1)"),
    CHUNK_LINE_TOO_LONG("a chunk-size line is above N bytes (RFC 9112 §7.1.1)"),
    BAD_CHUNK_END("chunk data is not followed by CRLF (RFC 9112 §7.1)"),
    FORBIDDEN_TRAILER("a field that may not stand in trailers (RFC 9110 §6.5.1)"),
    TRUNCATED("the request ends in the middle (RFC 9112 §8)"),
    REQUEST_TIMEOUT(408, "requestTimeout", "too little of the request came within N ms (RFC 9110 §15.5.9)"),
    SOCKET_TIMEOUT(408, "socketTimeout", "nothing of the request came for N ms (RFC 9110 §15.5.9)"),
    REQUEST_TOO_LARGE(413, "maxRequestSize", "the request is above N bytes (RFC 9110 §15.5.14)"),
    STREAM_TOO_LARGE(413, "maxStreamedSize", "the request is above N bytes (RFC 9110 §15.5.14)"),
    REQUEST_LINE_TOO_LONG(414, "maxHeaderSize", "request line above N bytes (RFC 9112 §3)"),
    UNKNOWN_EXPECTATION(417, "an expectation other than 100-continue (RFC 9110 §10.1.1)"),
    HEADER_TOO_LARGE(431, "maxHeaderSize", "head, or trailer section, above N bytes (RFC 6585 §5)"),
    TOO_MANY_FIELDS(431, "maxHeaders", "more than N fields in a section (RFC 6585 §5)"),
    HANDLER_ERROR(500, "the handler failed (RFC 9110 §15.6.1)"),
    CONNECT(501, "CONNECT is not supported (RFC 9110 §9.3.6)"),
    UNKNOWN_CODING(501, "a coding other than chunked is not supported (RFC 9112 §6.1)"),
    HANDLER_TIMEOUT(503, "handlerTimeout", "no answer within N ms (RFC 9110 §15.6.4)"),
    OUT_OF_BUFFERS(503, "maxBufferedBytes", "more than N bytes wait (RFC 9110 §15.6.4)"),
    OVERLOAD(503, "maxPendingRequests", "already N requests are pending (RFC 9110 §15.6.4)"),
    UNSUPPORTED_VERSION(505, "the major version is not 1 (RFC 9112 §2.3)"),
    UNFRAMED(505,
            "HTTP/1.0 answers need a length at a Unix socket (nginx: proxy_http_version 1.1; RFC 9112 §8)");

    public final int status;
    public final String code = name().toLowerCase(Locale.ROOT);
    private final String option, rule;

    Refusal(String rule) { this(400, rule); }

    Refusal(int status, String rule) { this(status, null, rule); }

    Refusal(int status, String option, String rule) {
        this.status = status;
        this.option = option;
        this.rule = rule;
    }

    public boolean isTimeout() { return code.endsWith("_timeout"); }

    /** Refuses if a rule is broken. */
    public void refuseIf(boolean broken) { refuseIf(broken, 0); }

    /** Refuses if a limit is exceeded: a number of bytes, of fields or requests, or of nanoseconds. */
    public void refuseIf(boolean passed, long limit) {
        if (passed) throw new RefusalException(this, limit);
    }

    /** Refuses input that is not valid. */
    public void refuseUnless(boolean valid) { refuseIf(!valid, 0); }

    /** Returns the rule with the limit instead of N, as the client reads it; times are in milliseconds. */
    public String rule(long limit) {
        return rule.replace(" N ", " " + (isTimeout() ? limit / 1_000_000 : limit) + " ");
    }

    /** Returns the rule with its limit, and with the option that sets the limit. */
    public String loggedRule(long limit) {
        return option == null ? rule(limit) : rule(limit).replace("(RFC ", "(" + option + "; RFC ");
    }
}
