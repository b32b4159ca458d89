package responseserver;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The flags, and what the help says of them. A flag's long name is its name here, in lower case. */
enum Flag {

    THREADS("t", "N", "event loops on the port, 1 to 1024; default: one for each processor"),
    PORT("p", "N", "0 to 65535, default 8080; 0 takes a free port"),
    ADDRESS("a", "NAME", "the name or address to listen on; default: every interface"),
    STATUS("s", "N", "status of the response, 200 to 599, default 200"),
    BODY("b", "TEXT", "its body; @FILE is the content of a file, read once; default: empty"),
    HEADER("H", "'NAME: VALUE'", "a field of every response; may be repeated"),
    DELAY("d", "TIME", "answer so much later, as 500us, 100ms, 1s, 2m; at most 24h"),
    ROUTE("", "'METHOD /PATH=STATUS:BODY'", "another response for this method and path; may be repeated"),
    METER("m", "", "a line a second of requests and bytes; totals at the end"),
    VERBOSE("v", "", "print start lines; -vv and fields; -vvv and bodies; -vvvv every octet"),
    LOG_FORMAT("", "text|json", "how lines are printed, default text; json is an object a line"),
    RECEIVE_BUFFER_SIZE("", "BYTES", "SO_RCVBUF of each connection; default: the system's choice"),
    SEND_BUFFER_SIZE("", "BYTES", "SO_SNDBUF of each connection; default: the system's choice"),
    LISTEN_BACKLOG("", "N", "connections that may wait to be accepted; default 1024"),
    TCP_NODELAY("", "", "always on, with this flag and without"),
    HELP("h", "", "print this, and end"),
    VERSION("V", "", "print the version, and end"),

    // what statico has and this program has not, and why
    HTTP2("this is an HTTP/1.1 server; put a proxy in front for HTTP/2"),
    BODY_DELAY("responses leave whole, body and all; --delay delays them"),
    RUNTIME("there is but one, the JDK's NIO; --threads uses more processors"),
    URING_ENTRIES("the JDK's NIO uses no io_uring; --threads uses more processors"),
    URING_SQPOLL("the JDK's NIO uses no io_uring; --threads uses more processors"),
    CERT("there is no TLS here; put a proxy in front for it"),
    KEY("there is no TLS here; put a proxy in front for it");

    /** One letter, or empty; what its value is called, or empty if it takes none. */
    final String letter;
    final String value;

    /** A line of the help; of a flag that is refused, why it is. */
    final String meaning;
    final boolean refused;

    Flag(String letter, String value, String meaning) {
        this.letter = letter;
        this.value = value;
        this.meaning = meaning;
        refused = false;
    }

    Flag(String why) {
        letter = "";
        value = "";
        meaning = why;
        refused = true;
    }

    boolean isRepeatable() {
        return this == HEADER || this == ROUTE || this == VERBOSE;
    }

    static Optional<Flag> find(String name) {
        return Arrays.stream(values())
                .filter(flag -> flag.toString().equals(name) || ("-" + flag.letter).equals(name)).findFirst();
    }

    /** The help: a line for each flag that there is. */
    static String help() {
        var help = new StringBuilder("usage: ResponseServer [FLAGS]\n");
        for (Flag flag : values()) {
            if (flag.refused) {
                continue;
            }
            String letter = flag.letter.isEmpty() ? "   " : "-" + flag.letter + ",";
            String names = letter + " " + flag + (flag.value.isEmpty() ? "" : " " + flag.value);
            String gap = names.length() <= 26 ? " ".repeat(26 - names.length()) : "\n" + " ".repeat(28);
            help.append("  ").append(names).append(gap).append("  ").append(flag.meaning).append('\n');
        }
        return help.toString();
    }

    /** The long name, as it is written. */
    @Override
    public String toString() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
