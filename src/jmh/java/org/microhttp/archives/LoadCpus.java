package org.microhttp.archives;

import java.util.List;

/**
 * Which CPUs a server has, one for each thread, and which the load generator: as many of its own, or as many
 * as are left. Where none is left it shares all with the server.
 */
record LoadCpus(List<String> server, List<String> client, boolean shared) {

    static LoadCpus of(List<String> cpus, int threads) {
        if (cpus.size() <= threads) return new LoadCpus(cpus, cpus, true);
        int end = Math.min(cpus.size(), 2 * threads);
        return new LoadCpus(cpus.subList(0, threads), cpus.subList(threads, end), false);
    }

    /** As taskset takes it. */
    String serverList() { return String.join(",", server); }

    String clientList() { return String.join(",", client); }

    /** One for each CPU of its own. */
    int clientThreads() { return shared ? 1 : client.size(); }

    String text() {
        return "server on " + serverList() + ", load generator on " + clientList()
                + (shared ? " too: there are no more" : "");
    }
}
