package org.microhttp.tools.servertool;

import java.util.List;
import org.microhttp.tools.commandline.Flag;

/** The flags that every server tool takes, after its own. */
public final class ServerFlags {

    static final Flag THREADS = Flag.of("-t", "--threads", "N",
            "event loops on the port, 1 to 1024; default: one for each processor");

    public static final Flag PORT = Flag.of("-p", "--port", "N",
            "0 to 65535, default 8080; 0 takes a free port");

    public static final Flag ADDRESS = Flag.of("-a", "--address", "NAME",
            "the name or address to listen on; default: every interface");

    static final Flag METER = Flag.of("-m", "--meter", "",
            "a line a second of requests and bytes; totals at the end");

    static final Flag VERBOSE = Flag.of("-v", "--verbose", "",
            "print start lines; -vv and fields; -vvv and bodies; -vvvv every byte").repeated();

    static final Flag LOG_FORMAT = Flag.of("", "--log-format", "text|json",
            "how lines are printed, default text; json is an object a line");

    static final Flag LOG_TIME = Flag.of("", "--log-time", "",
            "begin each line of text with the time in UTC; json has it anyway");

    static final Flag RECEIVE_BUFFER_SIZE = Flag.of("", "--receive-buffer-size", "BYTES",
            "SO_RCVBUF of each connection; default: the system's choice");

    static final Flag SEND_BUFFER_SIZE = Flag.of("", "--send-buffer-size", "BYTES",
            "SO_SNDBUF of each connection; default: the system's choice");

    static final Flag LISTEN_BACKLOG = Flag.of("", "--listen-backlog", "N",
            "connections that may wait to be accepted; default 1024");

    static final Flag TCP_NODELAY = Flag.of("", "--tcp-nodelay", "",
            "always on, with this flag and without");

    public static final Flag TLS_CERTIFICATE = Flag.of("", "--tls-certificate", "FILE",
            "serve by TLS alone, with the certificates of a PEM file");

    static final Flag TLS_KEY = Flag.of("", "--tls-key", "FILE",
            "the key of the first of them, in a PEM file");

    static final Flag HELP = Flag.of("-h", "--help", "", "print this, and end");

    static final Flag VERSION = Flag.of("-V", "--version", "", "print the version, and end");

    static final List<Flag> ALL = List.of(THREADS, PORT, ADDRESS, METER, VERBOSE, LOG_FORMAT, LOG_TIME,
            RECEIVE_BUFFER_SIZE, SEND_BUFFER_SIZE, LISTEN_BACKLOG, TCP_NODELAY, TLS_CERTIFICATE, TLS_KEY,
            HELP, VERSION);

    private ServerFlags() {
    }
}
