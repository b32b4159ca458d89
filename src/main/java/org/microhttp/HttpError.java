package org.microhttp;

import java.nio.charset.StandardCharsets;
import java.util.*;

/**
 * Ends a request that breaks HTTP or a limit. Its message is a stable code, a colon, and the rule broken: the
 * body of the answer. Has no stack trace, for it is the peer's mistake and thrown on the hot path.
 */
final class HttpError extends Exception {

    private static final long serialVersionUID = 1;
    private static final Map<Integer, String> REASONS = Map.of(400, "Bad Request", 408, "Request Timeout",
            413, "Content Too Large", 414, "URI Too Long", 417, "Expectation Failed", 501, "Not Implemented",
            431, "Request Header Fields Too Large", 500, "Internal Server Error", 503, "Service Unavailable",
            505, "HTTP Version Not Supported");

    final int status;
    final String code;

    HttpError(int status, String codeAndRule) {
        super(codeAndRule, null, false, false);
        this.status = status;
        code = codeAndRule.substring(0, codeAndRule.indexOf(':'));
    }

    /** The answer, with these fields beside its own. */
    Response response(Header... more) {
        byte[] body = (getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        var fields = new ArrayList<>(List.of(more));
        fields.add(new Header("Content-Type", "text/plain; charset=utf-8"));
        return new Response(status, REASONS.get(status), fields, body);
    }
}
