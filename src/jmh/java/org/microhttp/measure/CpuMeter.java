package org.microhttp.measure;

import java.io.IOException;

/** Counts what CPU time a run took: of a server, of the load generator, and of all others on the machine. */
public final class CpuMeter {

    /** What has taken some CPU time up to now. */
    public interface Timed { CpuTime time() throws IOException; }

    /** In seconds; the load generator's and others' together in user mode and in the kernel. */
    public record Spent(CpuTime server, double generator, double others) { }

    /** Above this share of a CPU for others a run counts as disturbed. */
    private static final double DISTURBED = 0.25;

    /** Until the kernel and the server are done with what was before. */
    private static final int SETTLE_MILLIS = 100, SETTLES = 50;

    private final Timed server;
    private final CpuTime before, ended, machine;

    public CpuMeter(Timed server) throws IOException {
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

    /** It tells what others did, so choosing by it favours no server. A smoke run is too short to tell. */
    public static boolean isDisturbed(Row run) {
        double seconds = run.number("seconds");
        return seconds >= 0.9 && run.number("others_s") > DISTURBED * seconds;
    }

    /** Closing many connections shall not be counted for the next run. */
    public static void settle(Timed server) throws IOException {
        double last = -1;
        for (int i = 0; i < SETTLES; i++) {
            double now = server.time().total();
            if (now == last) return;
            last = now;
            try {
                Thread.sleep(SETTLE_MILLIS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
