package org.microhttp.extras.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;

/** The opening handshake of one client, as a server reads and answers it (RFC 6455 §4.2). For one thread. */
final class Handshake {

    private static final String VERSION = "13";
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /** 16 bytes in base64 (§4.2.1). A decoder would also accept them without the padding. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/]{22}==");

    private static final String SPACE = "[ \\t]*+";
    private static final String TOKEN_CHARACTER = "[!#$%&'*+.^_`|~0-9A-Za-z-]";
    private static final String TOKEN = TOKEN_CHARACTER + "++";

    /** Sec-WebSocket-Protocol (§4.3). */
    private static final Pattern PROTOCOLS = list(TOKEN);

    /** Sec-WebSocket-Extensions (§9.1). A quoted value has to be a token without its quotes. */
    private static final Pattern EXTENSIONS = list(TOKEN + "(?:" + SPACE + ";" + SPACE + TOKEN
            + "(?:" + SPACE + "=" + SPACE + "(?:" + TOKEN + "|\"(?:\\\\?" + TOKEN_CHARACTER + ")++\"))?+)*+");

    private final Request request;
    private final WebSocketOptions options;

    Handshake(Request request, WebSocketOptions options) {
        this.request = request;
        this.options = options;
    }

    /** 1#element (RFC 2616 §2.1): elements may be empty, but not all. Possessive, to need no stack. */
    private static Pattern list(String element) {
        return Pattern.compile("[, \\t]*+" + element + "(?:" + SPACE + ",(?:" + SPACE + element + ")?+)*+"
                + SPACE);
    }

    /** {@return the response to a handshake that breaks §4.2.1, in its order; null for a valid one} */
    Response refusal() {
        if (!request.method().equals("GET")) {
            return Response.of(405).withHeader("Allow", "GET");
        }
        if (request.version().equals("HTTP/1.0") || request.host() == null) {
            return Response.text(400, "a handshake takes HTTP/1.1 and Host (RFC 6455 §4.2.1)\n");
        }
        boolean upgrade = has("Upgrade", "websocket") && has("Connection", "upgrade");
        if (!upgrade || !List.of(VERSION).equals(request.values("Sec-WebSocket-Version"))) {
            return upgradeRequired();
        }
        String broken = brokenRule();
        if (broken != null) {
            return Response.text(400, broken + "\n");
        }
        String origin = request.header("Origin");
        boolean welcome = origin == null || !isTwice("Origin") && accepts(origin);
        return welcome ? null : Response.text(403, "pages of this origin may not connect (RFC 6455 §10.2)\n");
    }

    /** RFC 6455 §4.4; RFC 9110 §15.5.22. */
    private static Response upgradeRequired() {
        return Response.text(426, "a WebSocket of version 13 is served here (RFC 6455 §4.4)\n")
                .withHeader("Upgrade", "websocket")
                .withHeader("Connection", "upgrade")
                .withHeader("Sec-WebSocket-Version", VERSION);
    }

    /** The rule that the rest of the head breaks; null for none. */
    private String brokenRule() {
        String key = "" + request.header("Sec-WebSocket-Key");
        if (isTwice("Sec-WebSocket-Key") || !KEY.matcher(key).matches()) {
            return "Sec-WebSocket-Key is not 16 bytes in base64 (RFC 6455 §4.2.1)";
        }
        if (!matches(PROTOCOLS, "Sec-WebSocket-Protocol")) {
            return "Sec-WebSocket-Protocol is no list of tokens (RFC 6455 §4.3)";
        }
        if (!matches(EXTENSIONS, "Sec-WebSocket-Extensions")) {
            return "Sec-WebSocket-Extensions is no list of extensions (RFC 6455 §9.1)";
        }
        boolean body = request.hasHeader("Transfer-Encoding")
                || ("" + request.header("Content-Length")).matches(".*[1-9].*");
        // what follows the head would be taken for frames
        return body ? "a handshake has no body (RFC 6455 §4.1)" : null;
    }

    private boolean isTwice(String name) {
        return request.values(name).size() > 1;
    }

    /** Whether a field is missing, or its values, joined, are such a list. */
    private boolean matches(Pattern list, String name) {
        List<String> values = request.values(name);
        return values.isEmpty() || list.matcher(String.join(",", values)).matches();
    }

    private boolean has(String name, String token) {
        return elements(name).anyMatch(token::equalsIgnoreCase);
    }

    private Stream<String> elements(String name) {
        return request.values(name).stream().flatMap(value -> Stream.of(value.split(","))).map(String::strip);
    }

    /** By default the page must be from here: its origin without the scheme is the host of the request. */
    private boolean accepts(String origin) {
        if (options.values.origins != null) {
            return options.values.origins.test(origin);
        }
        return origin.replaceFirst("(?i)^https?://", "").equalsIgnoreCase(request.host());
    }

    /** {@return the first subprotocol of the client's list that the program knows; null for none} */
    String subprotocol() {
        return elements("Sec-WebSocket-Protocol").filter(options.values.subprotocols::contains).findFirst()
                .orElse(null);
    }

    /** {@return the agreement: the first acceptable offer (RFC 7692 §5); null for no compression} */
    Compression compression() {
        if (!options.values.compression) {
            return null;
        }
        // a quoted value has no separators, because without its quotes it must be a token
        return elements("Sec-WebSocket-Extensions")
                .map(offer -> Compression.of(offer, options.values.minCompressedSize))
                .filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** {@return the fields of the response (§4.2.2)} */
    List<Header> fields() {
        var fields = new ArrayList<Header>();
        fields.add(new Header("Sec-WebSocket-Accept", accept(request.header("Sec-WebSocket-Key"))));
        if (subprotocol() != null) {
            fields.add(new Header("Sec-WebSocket-Protocol", subprotocol()));
        }
        Compression compression = compression();
        if (compression != null) {
            fields.add(new Header("Sec-WebSocket-Extensions", compression.response()));
        }
        return fields;
    }

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
