package org.microhttp.compare;

import java.util.Arrays;
import java.util.List;

/** Who is compared, in the order of the tables, and who takes part in what. */
public enum Peer {

    FLOOR("floor", "JVM floor"), MICROHTTP("microhttp", "microhttp"),
    FRESH("microhttp-fresh", "microhttp, fresh"), ASYNC("microhttp-async", "microhttp, async"),
    NGINX("nginx", "nginx"), HAPROXY("haproxy", "HAProxy"), LIGHTTPD("lighttpd", "lighttpd"),
    JDK("jdk", "JDK HttpServer");

    /** As the results have it and, of a program that is not Java's, the name of program and package. */
    public final String name;

    public final String title;

    Peer(String name, String title) {
        this.name = name;
        this.title = title;
    }

    static Peer named(String name) {
        return Arrays.stream(values()).filter(peer -> peer.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no server " + name));
    }

    public boolean isOurs() { return this == MICROHTTP || this == FRESH || this == ASYNC; }

    public boolean isJava() { return isOurs() || this == FLOOR || this == JDK; }

    /** Who makes the answer, and when, is asked in one scenario; proxies and file servers echo no body. */
    public boolean takesPart(Scenario scenario) {
        if (this == FRESH || this == ASYNC) return scenario == Scenario.KEEP_ALIVE;
        return isJava() || scenario != Scenario.POST;
    }

    /** What tells it how to answer. While that is the same in the next scenario, the same process goes on. */
    List<String> mode(Scenario scenario) {
        return switch (this) {
            case MICROHTTP -> List.of("inline");
            case FRESH -> List.of("fresh");
            case ASYNC -> List.of("async");
            case FLOOR -> switch (scenario) {
                case CLOSE -> List.of("close");
                case POST -> List.of("post", "" + scenario.request.length);
                default -> List.of();
            };
            default -> List.of();
        };
    }
}
