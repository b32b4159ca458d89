package org.microhttp.extras.forms;

import java.util.ArrayList;
import java.util.List;

/**
 * The subscribers of one form that have to be closed. This class refers to nothing else of the form, so it
 * can also run after the form is garbage. Any thread may use it.
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

    /** Closes all, also after one has failed. It may block. */
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

    /** Logs a failure that no response can report any more. */
    static void report(String what, Throwable cause) {
        System.getLogger(FormHandler.class.getName()).log(System.Logger.Level.WARNING, what, cause);
    }
}
