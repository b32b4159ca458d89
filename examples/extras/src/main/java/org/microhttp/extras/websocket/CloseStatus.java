package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;

/** What a Close frame says (RFC 6455 §5.5.1): a code and a reason, or nothing, which is 1005. */
record CloseStatus(int code, String reason) {

    static final int PROTOCOL_ERROR = 1002;
    static final int UNSUPPORTED = 1003;
    static final int NONE = 1005;
    static final int ABNORMAL = 1006;
    static final int INVALID_TEXT = 1007;
    static final int POLICY_VIOLATION = 1008;
    static final int TOO_LARGE = 1009;
    static final int EXTENSION_MISSING = 1010;
    static final int INTERNAL_ERROR = 1011;

    /** The client may connect again (RFC 6455 §11.7, registered later). */
    static final int TRY_AGAIN_LATER = 1013;

    /** The longest reason: a control frame has at most 125 bytes, of which the code takes 2. */
    static final int LONGEST_REASON = 123;

    /** Why the server gives up connections; made before memory is short. */
    static final CloseStatus NO_MEMORY = new CloseStatus(TRY_AGAIN_LATER, "the server is short of memory");
    static final CloseStatus UNFINISHED = new CloseStatus(POLICY_VIOLATION, "a message takes too long");

    /** A status that the program sends. */
    static CloseStatus of(int code, String reason) {
        if (!isSent(code) || code == EXTENSION_MISSING) {
            throw new IllegalArgumentException("the code is " + code
                    + "; allowed: 1000 to 1003, 1007 to 1009, 1011 to 1014, 3000 to 4999");
        }
        if (reason.getBytes(UTF_8).length > LONGEST_REASON) {
            throw new IllegalArgumentException("the reason has more than 123 bytes: " + reason);
        }
        return new CloseStatus(code, reason);
    }

    /** Reads the payload of a Close frame from a client; the buffer's position stays. */
    static CloseStatus parse(ByteBuffer payload) throws ConnectionFailure {
        int size = payload.remaining();
        if (size == 0) {
            return new CloseStatus(NONE, "");
        }
        if (size == 1) {
            throw new ConnectionFailure(PROTOCOL_ERROR, "half a close code (RFC 6455 §5.5.1)");
        }
        int code = payload.getShort(0) & 0xFFFF;
        if (!isSent(code)) {
            throw new ConnectionFailure(PROTOCOL_ERROR, "a close code that is not sent (RFC 6455 §7.4)");
        }
        var check = new Utf8Check();
        if (!check.accepts(payload.array(), 2, size) || !check.isComplete()) {
            throw new ConnectionFailure(INVALID_TEXT, "a close reason is not UTF-8 (RFC 6455 §5.5.1)");
        }
        return new CloseStatus(code, new String(payload.array(), 2, size - 2, UTF_8));
    }

    /** 1004, 1005, 1006 and 1015 are never sent (§7.4.1); 1012 to 1014 were registered later (§11.7). */
    private static boolean isSent(int code) {
        boolean registered = code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014;
        // 3000 to 4999 are for libraries and programs (§7.4.2)
        return registered || code >= 3000 && code <= 4999;
    }

    /** {@return the Close frame} */
    ByteBuffer encode() {
        if (code == NONE) {
            return new Frame(Frame.CLOSE, ByteBuffer.allocate(0)).encode();
        }
        byte[] bytes = reason.getBytes(UTF_8);
        ByteBuffer payload = ByteBuffer.allocate(2 + bytes.length).putShort((short) code).put(bytes);
        return new Frame(Frame.CLOSE, payload.flip()).encode();
    }
}
