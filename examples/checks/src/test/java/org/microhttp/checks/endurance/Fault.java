package org.microhttp.checks.endurance;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;

/**
 * What goes wrong beside clients that do everything right: a program of the system, or {@link FaultLoad} in a
 * process of its own. The last three have a server of their own; TOGETHER is all others at once.
 */
public enum Fault {

    /** The first four are the modes of {@code slowhttptest}. */
    SLOW_HEADERS("slow headers: `slowhttptest -H`", "-H -i 10 -u /"),
    SLOW_BODY("slow bodies: `slowhttptest -B`", "-B -i 10 -s 1000000 -u /"),
    SLOW_READ("slow readers: `slowhttptest -X`", "-X -i 10 -n 5 -z 1024 -w 512 -y 1024 -u /large"),
    RANGE("ranges: `slowhttptest -R`", "-R -a 5 -b 2000 -u /"),

    /** 2,000 connects a second; a client sends nothing, a part of a request, or one or 20, then resets. */
    STORM("connects in a storm, each reset", ""),

    /** Clients request 8 MiB, then every packet from or to them is dropped. */
    VANISHED("peers that vanished: half-open", ""),

    /** Clients request 8 MiB and read nothing. */
    UNREAD("readers with a window of zero", ""),

    /** Invalid requests and random bytes. */
    GARBAGE("garbage", ""),

    /** Handlers that throw, stall, answer null, twice or never. */
    HANDLERS("handlers that throw, stall, answer twice or never", ""),

    /** The server may open 200 descriptors; connected clients are served, others wait. */
    DESCRIPTORS("descriptors exhausted", ""),

    /** Clients whose required PROXY header is missing, bad, cut or endless. */
    BAD_PROXY("PROXY headers that are bad, cut or missing", ""),

    /** As {@link #STORM}, at a Unix domain socket. */
    UNIX("connects in a storm at a Unix socket, each reset", "");

    /** Has the process of a shell run when no other wants its processor. */
    static final String BEHIND_OTHERS = "(chrt --idle --pid 0 $$ || renice -n 19 $$) > /dev/null 2>&1";

    /** The longest that a load may last, in seconds, if nobody ends it. */
    private static final int MOST_SECONDS = 600;

    /** How many descriptors a server has that is to run out of them. */
    private static final int FEW_DESCRIPTORS = 200;

    public final String text;
    private final String flags;

    Fault(String text, String flags) {
        this.text = text;
        this.flags = flags;
    }

    /** Whether it takes what this machine has not. */
    public boolean isPossible() {
        return (flags.isEmpty() || Programs.isInstalled("slowhttptest"))
                && (this != VANISHED || Namespace.isInside());
    }

    /** Whether those who connect anew can be served at all meanwhile. */
    boolean letsOthersConnect() {
        return this != DESCRIPTORS;
    }

    /** Whether it takes a server of another kind than the others. */
    boolean hasServerOfItsOwn() {
        return this == DESCRIPTORS || this == BAD_PROXY || this == UNIX;
    }

    /** How many files its server may open. */
    int descriptors() {
        return this == DESCRIPTORS ? FEW_DESCRIPTORS : Namespace.MOST_FILES;
    }

    /** What a client that does all right sends when it has connected. */
    String preface() {
        return this == BAD_PROXY ? "PROXY TCP4 192.0.2.1 192.0.2.2 1024 80\r\n" : "";
    }

    /** How many connections are to be open before it counts as held; of those that come and go, none. */
    int held(int connections) {
        return switch (this) {
            case RANGE, STORM, GARBAGE, HANDLERS, BAD_PROXY, UNIX -> 0;
            case DESCRIPTORS -> FEW_DESCRIPTORS / 2;
            default -> connections * 95 / 100;
        };
    }

    /**
     * The command that puts it on a server.
     *
     * @param order a command about its shell, as {@link #BEHIND_OTHERS}
     */
    List<String> command(SocketAddress server, int connections, String order) {
        String program = flags.isEmpty() ? java(server, connections) : tool(server, connections);
        // what the tool has ended is begun again; a session of its own is ended all at once
        return List.of("setsid", "bash", "-c", "ulimit -n " + Namespace.MOST_FILES + "; "
                + order + "; while kill -0 " + ProcessHandle.current().pid() + "; do " + program
                + "; sleep 0.1; done > /dev/null 2>&1 < /dev/null");
    }

    private String tool(SocketAddress server, int connections) {
        int rate = Math.max(1_000, connections / 4);
        return "slowhttptest -l " + MOST_SECONDS + " -c " + connections + " -r " + rate + " "
                + flags.replace("-u ", "-u http:/" + server);
    }

    private String java(SocketAddress server, int connections) {
        var words = new ArrayList<String>(List.of(Programs.JAVA));
        words.addAll(Programs.SHORT);
        words.addAll(List.of("-Xmx256m", "-cp", ServerProcess.classPath(),
                FaultLoad.class.getName(), name(), server.toString(), "" + connections));
        return "'" + String.join("' '", words) + "'";
    }
}
