package org.microhttp.compare;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How programs are started and configured: without an access log, and so that a connection stays open for as
 * long as it is used. Words in capitals stand for values: FOLDER is the server's own, PORT its port, CLASSES
 * the class path, ROOT what it serves; MODE, which may be several words, what else a comparison decides on.
 */
final class Programs {

    static final String JVM = "java -XX:+UseSerialGC -XmsHEAP -XmxHEAP -cp CLASSES ";

    private static final String JAVA = System.getProperty("java.home") + "/bin/java";

    /** An ANSWER of nginx: files, also those that are compressed already. */
    private static final String FILES = "root ROOT; sendfile on; tcp_nopush on; gzip_static on; "
            + "open_file_cache max=KEPT inactive=60s; open_file_cache_valid 1s; open_file_cache_min_uses 1;";

    private Programs() { }

    /** {@return the values of one worker of nginx or lighttpd that serves files} */
    static Map<String, String> files(String root) { return files(root, 1, 16384, 2000); }

    /** {@return the values of nginx and lighttpd that serve files from a folder} */
    static Map<String, String> files(String root, int workers, int connections, int kept) {
        boolean one = workers == 1;
        return Map.of("ROOT", root, "WORKERS", "" + workers, "PROCESSES", one ? "0" : "" + workers,
                "CONNECTIONS", "" + connections, "KEPT", "" + kept, "SHARED", one ? "" : " reuseport",
                "ANSWER", FILES.replace("ROOT", root).replace("KEPT", "" + kept), "HEAP", "256m");
    }

    /** {@return a text with values in place of the words in capitals} */
    static String filled(String text, Map<String, String> values) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace(value.getKey(), value.getValue());
        }
        return filled;
    }

    /** {@return the words of a command, each filled, so that a value may have spaces} */
    static List<String> command(String command, Map<String, String> values) {
        String whole = command.replace("MODE", values.getOrDefault("MODE", ""));
        return Stream.of(whole.strip().split(" +"))
                .map(word -> word.equals("java") ? JAVA : filled(word, values)).toList();
    }

    /** {@return a command as the result file shows it: without places on this machine} */
    static String shown(String command, Map<String, String> values) {
        Map<String, String> shown = new HashMap<>(values);
        shown.values().removeIf(value -> value.startsWith("/"));
        return filled(command, shown).strip();
    }
}
