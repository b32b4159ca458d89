package org.microhttp.files;

/** What is asked of a server: which content, on how many connections, kept or new ones, plain or over TLS. */
public record FileCase(FilePart part, ServedContent content, int connections, boolean keepAlive,
                       boolean tls) {

    /** From here on it takes seconds until all are connected. */
    public static final int MANY = 5_000;

    /** ab made so many requests of 1.7 KiB in the oldest of these benchmarks. */
    static final int OLDEST_REQUESTS = 500_000;

    public String persistence() { return keepAlive ? "keep-alive" : "close"; }

    public String transport() { return tls ? "TLS" : "plain"; }

    public boolean isMany() { return connections >= MANY; }

    /** As the results have it. */
    public String key() {
        return String.join("\t", part.name, content.name, "" + connections, persistence(), transport());
    }

    static FileCase parse(String[] fields) {
        return new FileCase(FilePart.named(fields[0]), ServedContent.named(fields[1]),
                Integer.parseInt(fields[2]), fields[3].equals("keep-alive"), fields[4].equals("TLS"));
    }

    /** How many of the connections there can be: a proxy has two descriptors for each. */
    int reachable(long descriptors) {
        long most = tls ? (descriptors - 400) / 2 : descriptors - 200;
        return (int) Math.min(connections, Math.max(1, most));
    }

    /** Zero where time is the limit, not the number of requests. */
    int requests() {
        boolean counted = part == FilePart.OLDEST && content == ServedContent.SMALL;
        return counted ? OLDEST_REQUESTS : 0;
    }

    /** What each of many, or a large one, needs more than the others. */
    double seconds(double ordinary) {
        if (content == ServedContent.HUGE) return 4 * ordinary;
        if (!isMany()) return ordinary;
        return tls ? 15 * ordinary : 3 * ordinary;
    }

    /** Where a run is long there are fewer. */
    int rounds(int ordinary) {
        if (requests() > 0) return 1;
        if (!isMany()) return ordinary;
        return tls ? 1 : Math.min(2, ordinary);
    }

    String title() {
        return content.title + ", " + connections + (connections == 1 ? " connection, " : " connections, ")
                + persistence() + ", " + transport() + (part == FilePart.OLDEST ? ", ab" : "");
    }
}
