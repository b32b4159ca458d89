package org.microhttp.tools.servertool;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Makes timers whose thread does not keep the program alive. */
public final class DaemonTimer {

    private DaemonTimer() {
    }

    public static ScheduledExecutorService named(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
