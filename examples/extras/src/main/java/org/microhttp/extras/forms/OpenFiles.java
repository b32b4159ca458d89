package org.microhttp.extras.forms;

import java.util.ArrayList;
import java.util.List;

/**
 * The subscribers of one form that have to be closed. It refers to nothing else of the form, so it can also
 * run when nobody refers to the form any more. Any thread may use it.
 */
final class OpenFiles implements Runnable {

    private final List<AutoCloseable> files = new ArrayList<>();

    synchronized void add(AutoCloseable file) {
        files.add(file);
    }

    private synchronized List<AutoCloseable> take() {
        List<AutoCloseable> taken = List.copyOf(files);
        files.clear();
        return taken;
    }

    /** Closes all, also after one that fails. It may block. */
    @Override
    public void run() {
        for (AutoCloseable file : take()) {
            try {
                file.close();
            } catch (Throwable t) {
                report("a file of a form may be left", t);
            }
        }
    }

    /** Logs what nobody can be told any more. */
    static void report(String what, Throwable cause) {
        System.getLogger(FormHandler.class.getName()).log(System.Logger.Level.WARNING, what, cause);
    }
}
