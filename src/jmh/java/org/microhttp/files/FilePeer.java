package org.microhttp.files;

import java.util.Arrays;

/** Who is compared, in the order of the tables, and who takes part in what. */
public enum FilePeer {

    FILES("fileserver", "FileServer, from files"), MEMORY("fileserver-memory", "FileServer, from memory"),
    NGINX("nginx", "nginx"), LIGHTTPD("lighttpd", "lighttpd"), APACHE("apache2", "Apache"),
    PYTHON("python3", "Python http.server"), ARRAY("body-array", "library, byte[]"),
    DIRECT("body-direct", "library, direct buffer"), REGION("body-file", "library, region of a file");

    /** http.server has a listen queue of 5, and its next client waits a second. */
    private static final int PYTHON_CONNECTIONS = 20;

    /** As the results have it and, of a program that is not Java's, the name of program and package. */
    public final String name;

    public final String title;

    FilePeer(String name, String title) {
        this.name = name;
        this.title = title;
    }

    static FilePeer named(String name) {
        return Arrays.stream(values()).filter(peer -> peer.name.equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no server " + name));
    }

    public boolean isOurs() { return this == FILES || this == MEMORY; }

    public boolean isJava() { return isOurs() || isLibrary(); }

    /** A program of the load room, for one body. */
    boolean isLibrary() { return this == ARRAY || this == DIRECT || this == REGION; }

    /** Measured in each round; the others in the first, to say who is ahead. */
    boolean isPrincipal() { return isJava() || this == NGINX; }

    /**
     * Who is asked for what. Only nginx has the variants that are asked for; http.server speaks HTTP/1.0 and
     * closes each connection.
     */
    public boolean takesPart(FileCase asked) {
        return switch (asked.part()) {
            case BODIES -> isLibrary();
            case CODED, HUGE -> isOurs() && this != MEMORY || this == NGINX || isCodedFromMemory(asked);
            case COLD -> this == FILES || this == NGINX;
            case MATRIX, OLDEST -> !isLibrary() && (this != PYTHON || isPythonAble(asked));
        };
    }

    private boolean isCodedFromMemory(FileCase asked) {
        return this == MEMORY && asked.part() == FilePart.CODED;
    }

    private static boolean isPythonAble(FileCase asked) {
        boolean alone = !asked.keepAlive() && !asked.tls();
        return alone && asked.part() == FilePart.MATRIX && asked.connections() <= PYTHON_CONNECTIONS;
    }
}
