package org.microhttp.compare;

import java.util.Arrays;
import java.util.List;

/** Who is compared, in the order of the tables, and who takes part in what. */
public enum Peer {

    FLOOR("floor", "JVM floor"), MICROHTTP("microhttp", "microhttp"),
    FRESH("microhttp-fresh", "microhttp, fresh"),
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

    public boolean isOurs() { return this == MICROHTTP || this == FRESH; }

    public boolean isJava() { return isOurs() || this == FLOOR || this == JDK; }

    /**
     * Who makes the answer is asked in one scenario; proxies and file servers echo no body, and have no other
     * threads; a large body is a matter of ours and of those that send files.
     */
    public boolean takesPart(Scenario scenario) {
        return switch (this) {
            case FLOOR, MICROHTTP -> true;
            case FRESH -> scenario == Scenario.KEEP_ALIVE;
            case JDK -> scenario != Scenario.ASYNC && !scenario.isLarge();
            case HAPROXY -> scenario != Scenario.POST && scenario != Scenario.ASYNC && !scenario.isLarge();
            case NGINX, LIGHTTPD -> scenario != Scenario.POST && scenario != Scenario.ASYNC;
        };
    }

    /** What tells it how to answer. While that is the same in the next scenario, the same process goes on. */
    List<String> mode(Scenario scenario) {
        String size = "" + scenario.body.length();
        return switch (this) {
            case MICROHTTP -> switch (scenario) {
                case LARGE, HUGE -> List.of("direct", size);
                case ASYNC -> List.of("async");
                default -> List.of("inline");
            };
            case FRESH -> List.of("fresh");
            case FLOOR -> switch (scenario) {
                case CLOSE -> List.of("close");
                case ASYNC -> List.of("async");
                case POST -> List.of("post", "" + scenario.request.length);
                case LARGE, HUGE -> List.of("body", size);
                default -> List.of();
            };
            default -> scenario.isLarge() ? List.of(size) : List.of();
        };
    }
}
