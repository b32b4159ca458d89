package org.microhttp;

import java.nio.channels.Selector;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Tasks for the loop's thread: how a response that was made elsewhere comes back. Any thread may add; the
 * loop runs them.
 */
final class TaskQueue {

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    final EventLog log;

    /** The thread that runs the loop; null before it starts, and when it has ended. */
    volatile Thread thread;

    /**
     * Whether the loop sleeps, or is about to: it sets this before it looks for the last time whether it may,
     * and clears it when it goes on.
     */
    volatile boolean asleep;

    /** Whether no task is taken any more; for any thread. */
    volatile boolean ended;

    /** Whether the mark is in the queue, which stands there behind the tasks of a turn, and is one itself. */
    private boolean marked;
    private final Runnable mark = () -> marked = false;

    TaskQueue(Selector selector, EventLog log) {
        this.selector = selector;
        this.log = log;
    }

    /** The calling thread is the loop's from now on. */
    void begin() { thread = Thread.currentThread(); }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /**
     * Runs a task on the loop's thread, soon; false if it never will be, for the loop has ended. From any
     * thread. A selector that is woken once stays so: again is cheap.
     */
    boolean add(Runnable task) {
        tasks.add(task);
        wake();
        // the end is told before the queue is emptied for the last time: a task is run, or taken back here
        return !ended || !tasks.remove(task);
    }

    /**
     * Has the loop look at what has changed; if it does not sleep it does so anyway. Whoever wakes it leaves
     * the flag to it: if he cleared it, and were held up before he wakes it, the next would rely on him.
     */
    void wake() {
        if (asleep) selector.wakeup();
    }

    boolean isEmpty() { return tasks.isEmpty(); }

    /**
     * Runs the tasks that are here now, at most so many: those that come of them wait for the next turn. At
     * most one mark is in the queue, and what is in front of it was here when this turn began, or earlier.
     */
    void run(int most) {
        if (!marked && !isEmpty()) marked = tasks.add(mark);
        for (int i = 0; i < most && marked; i++) {
            try {
                tasks.poll().run();
            } catch (Throwable t) {
                log.report(Event.TURN_ERROR, t);
            }
        }
    }

    /** Takes no task any more, and runs those that are here. */
    void end() {
        ended = true;
        while (!isEmpty()) {
            run(Integer.MAX_VALUE);
        }
    }
}
