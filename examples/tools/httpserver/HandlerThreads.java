package httpserver;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that run handlers if the program sets no executor: a virtual thread for each exchange where
 * Java has them, else at most {@value #MOST} threads, and further exchanges wait for one.
 */
final class HandlerThreads {

    /** As many as Tomcat and Jetty have by default. */
    private static final int MOST = 200;
    private static final int IDLE_SECONDS = 10;

    private HandlerThreads() {
    }

    /** The project is compiled for Java 17, so a method of Java 21 can only be found by its name. */
    static ExecutorService make() {
        try {
            return (ExecutorService) MethodHandles.publicLookup().findStatic(Executors.class,
                    "newVirtualThreadPerTaskExecutor", MethodType.methodType(ExecutorService.class)).invoke();
        } catch (Throwable t) {
            // there is none, or, in Java 19 and 20, none without a flag
            return pool();
        }
    }

    private static ExecutorService pool() {
        var pool = new ThreadPoolExecutor(MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> new Thread(task, "HTTP-Handler"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
