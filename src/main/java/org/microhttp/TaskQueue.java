package org.microhttp;

import java.nio.channels.Selector;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Tasks for the loop's thread: this is how a response that another thread made comes back. Any thread may
 * add; the loop runs them, in the order in which they were added.
 * <p>
 * How a sleeping loop is woken, and only a sleeping one: the loop sets {@link #asleep}, then looks whether
 * the queue is empty, then sleeps. A thread adds its task, then looks at {@code asleep}. The field and the
 * queue are volatile, so if the loop has missed the task, the thread sees {@code asleep} and wakes the
 * selector, which returns at once even if it did not sleep yet. Only the loop clears {@code asleep}: if a
 * waker did, and were preempted before {@code wakeup()}, the next thread would see false and skip its own
 * wake-up.
 */
final class TaskQueue implements AutoCloseable {

    /** Marks the last of the tasks that were here when the loop began to run them. */
    private static final Runnable END = () -> { };

    /** Whether the mark is in the queue. */
    private boolean marked;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Selector selector;
    final EventLog log;

    /** The thread that runs the loop; null before it starts, and when it has ended. */
    volatile Thread thread;

    /** Whether the loop sleeps, or is about to look whether it may. */
    volatile boolean asleep;

    /** Whether no more tasks are taken; for any thread. */
    volatile boolean ended;

    TaskQueue(Selector selector, EventLog log) {
        this.selector = selector;
        this.log = log;
    }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /**
     * Has a task run soon, on the loop's thread; false if it never will be, because the loop has ended. From
     * any thread.
     */
    boolean add(Runnable task) {
        tasks.add(task);
        wake();
        // the loop sets this before it empties the queue for the last time, so a task is run or removed here
        return !ended || !tasks.remove(task);
    }

    /** Has the loop look at what has changed; a loop that is awake will look anyway. */
    void wake() {
        if (asleep) selector.wakeup();
    }

    boolean isEmpty() { return tasks.isEmpty(); }

    /** Runs the tasks that are here, but only so many: before what they add the loop looks at its sockets. */
    void runPresent(int most) {
        if (!marked && !isEmpty()) marked = tasks.add(END);
        run(most);
    }

    /** Runs tasks until none is left, or up to the mark, but only so many. */
    void run(int most) {
        for (int i = 0; i < most; i++) {
            Runnable task = tasks.poll();
            if (task == END) marked = false;
            if (task == null || task == END) return;
            try {
                task.run();
            } catch (Throwable t) {
                log.report(Event.TURN_ERROR, t);
            }
        }
    }

    /** Takes no more tasks, and runs those that are here. */
    @Override
    public void close() {
        ended = true;
        while (!isEmpty()) {
            run(Integer.MAX_VALUE);
        }
    }
}
