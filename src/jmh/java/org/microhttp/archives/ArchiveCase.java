package org.microhttp.archives;

/** What is asked of a server: which content, on how many connections, of how many threads or processes. */
public record ArchiveCase(ArchivePart part, ArchiveContent content, int connections, int threads) {

    /** From here on it takes seconds until all are connected. */
    private static final int MANY = 5_000, SECONDS_OF_MANY = 10;

    boolean isMany() { return connections >= MANY; }

    /** Until all of many are connected, few requests are answered. */
    double seconds(double ordinary) {
        return isMany() && ordinary >= 1 ? Math.max(ordinary, SECONDS_OF_MANY) : ordinary;
    }

    /** How many of the connections there can be beside what a server has open anyway. */
    int reachable(long descriptors) {
        return (int) Math.min(connections, Math.max(1, descriptors - 200));
    }

    /** As the results have it. */
    public String key() {
        return String.join("\t", part.name, content.name, "" + connections, "" + threads);
    }

    static ArchiveCase parse(String[] fields) {
        return new ArchiveCase(ArchivePart.named(fields[0]), ArchiveContent.named(fields[1]),
                Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
    }

    String title() {
        return content.title + ", " + connections + " connections, " + threads
                + (threads == 1 ? " thread" : " threads");
    }
}
