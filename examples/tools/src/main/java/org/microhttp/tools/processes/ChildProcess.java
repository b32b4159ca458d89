package org.microhttp.tools.processes;

import java.io.IOException;
import java.io.OutputStream;
import org.microhttp.Options;

/** What a process that a {@link ProcessGroup} has started knows of that. */
public final class ChildProcess {

    /** Properties that it is started with. */
    private static final String NUMBER = "microhttp.process";
    private static final String PORT = "microhttp.process.port";

    private ChildProcess() {
    }

    /** {@return which of the processes this is, from 1 on; 0 if it is alone} */
    public static int number() {
        return Integer.getInteger(NUMBER, 0);
    }

    /** The flags of the JVM that tell it. */
    static String[] flags(int number, int port) {
        return new String[] {"-D" + NUMBER + "=" + number, "-D" + PORT + "=" + port};
    }

    /**
     * Has it end when the one that has started it is gone.
     *
     * @return the options with the port that all share
     */
    public static Options prepare(Options options) {
        var thread = new Thread(ChildProcess::awaitEndOfInput, "parent");
        thread.setDaemon(true);
        thread.start();
        return options.withPort(Integer.getInteger(PORT)).withReusePort(true);
    }

    /** Standard input comes from there. It ends with the process, however that does. */
    private static void awaitEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // as at its end
        }
        System.exit(1);
    }
}
