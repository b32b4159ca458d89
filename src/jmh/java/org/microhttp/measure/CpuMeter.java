package org.microhttp.measure;

import java.io.IOException;

/** Counts what CPU time a run took: of a server, of the load generator, and of all others on the machine. */
public final class CpuMeter {

    /** In seconds; the load generator's and others' together in user mode and in the kernel. */
    public record Spent(CpuTime server, double generator, double others) { }

    private final PinnedServer server;
    private final CpuTime before, ended, machine;

    public CpuMeter(PinnedServer server) throws IOException {
        this.server = server;
        before = server.time();
        ended = CpuTime.ofEnded();
        machine = CpuTime.ofMachine();
    }

    /** When the load generator, a child of this program, has ended. */
    public Spent stop() throws IOException {
        CpuTime spent = server.time().minus(before);
        double generator = CpuTime.ofEnded().minus(ended).total();
        double all = CpuTime.ofMachine().minus(machine).total();
        return new Spent(spent, generator, Math.max(0, all - spent.total() - generator));
    }
}
