package org.microhttp.compare;

/**
 * A server that is compared.
 *
 * @param name     as the results have it and, of a program, the name of the program and its package
 * @param command  how it is started; a word in capitals stands for a value, see {@link Programs}
 */
public record Server(String name, String title, Kind kind, String command) {

    /** Whose it is. That a guest fails at something is a result; that another fails is an error. */
    public enum Kind { OURS, JVM, PROGRAM, GUEST }

    /** One that runs in a JVM. */
    public static Server java(String name, String title, Kind kind, String command) {
        return new Server(name, title, kind, Programs.JVM + command);
    }

    public static Server nginx() {
        String command = "nginx -p FOLDER -c FOLDER/nginx.conf";
        return new Server("nginx", "nginx", Kind.PROGRAM, command);
    }

    public static Server lighttpd(Kind kind) {
        String command = "lighttpd -D -f FOLDER/lighttpd.conf";
        return new Server("lighttpd", "lighttpd", kind, command);
    }

    /** {@return its title as a table has it} */
    public String shown() { return isOurs() ? "**" + title + "**" : title; }

    public boolean isOurs() { return kind == Kind.OURS; }

    public boolean isGuest() { return kind == Kind.GUEST; }

    public boolean isJava() { return kind == Kind.OURS || kind == Kind.JVM; }
}
