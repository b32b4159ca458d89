package org.microhttp.tools.responseserver;

import java.util.List;
import org.microhttp.tools.commandline.Flag;

/** The flags of ResponseServer alone. */
final class ResponseFlags {

    static final Flag STATUS = Flag.of("-s", "--status", "N",
            "status of the response, 200 to 599, default 200");

    static final Flag BODY = Flag.of("-b", "--body", "TEXT",
            "its body; @FILE is the content of a file, read once; default: empty");

    static final Flag HEADER = Flag.of("-H", "--header", "'NAME: VALUE'",
            "a field of every response; may be repeated").repeated();

    static final Flag DELAY = Flag.of("-d", "--delay", "TIME",
            "answer so much later, as 500us, 100ms, 1s, 2m; at most 24h");

    static final Flag BODY_DELAY = Flag.of("", "--body-delay", "TIME",
            "send the body so much later than the head; at most 24h");

    static final Flag DRIP = Flag.of("", "--drip", "BYTES/TIME",
            "send the body in pieces of so many bytes, one each TIME, as 1/100ms");

    static final Flag CUT_AFTER = Flag.of("", "--cut-after", "N",
            "end the connection after N bytes of a body that is longer");

    static final Flag RESET_AFTER = Flag.of("", "--reset-after", "N",
            "reset the connection after N bytes of its first body");

    static final Flag NEVER = Flag.of("", "--never", "", "answer no request");

    static final Flag ROUTE = Flag.of("", "--route", "'METHOD /PATH=STATUS:BODY'",
            "another response for this method and path; may be repeated").repeated();

    private static final String NO_URING = "the JDK's NIO uses no io_uring; --threads uses more processors";

    /** In the order of the help; at the end what statico has and this program has not. */
    static final List<Flag> ALL = List.of(STATUS, BODY, HEADER, DELAY, ROUTE,
            BODY_DELAY, DRIP, CUT_AFTER, RESET_AFTER, NEVER,
            Flag.refused("--http2", "this is an HTTP/1.1 server; put a proxy in front for HTTP/2"),
            Flag.refused("--runtime", "there is but one, the JDK's NIO; --threads uses more processors"),
            Flag.refused("--uring-entries", NO_URING),
            Flag.refused("--uring-sqpoll", NO_URING),
            Flag.refused("--cert", "its name here is --tls-certificate"),
            Flag.refused("--key", "its name here is --tls-key"));

    private ResponseFlags() {
    }
}
