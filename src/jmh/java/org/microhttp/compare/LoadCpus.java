package org.microhttp.compare;

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

    /** {@return the CPUs as taskset takes them} */
    String serverList() { return String.join(",", server); }

    String clientList() { return String.join(",", client); }

    /** {@return how many threads the load generator has: each has a CPU, and at least a connection} */
    int clientThreads(int connections) { return shared ? 1 : Math.min(client.size(), connections); }

    String text() {
        return "server on " + serverList() + ", load generator on " + clientList()
                + (shared ? " too: there are no more" : "");
    }
}
