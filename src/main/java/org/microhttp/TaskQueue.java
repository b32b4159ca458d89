package org.microhttp;

import java.nio.channels.Selector;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Tasks for the loop's thread, such as a response that another thread has given. Any thread may add tasks;
 * the loop runs them in the order in which they were added.
 * <p>
 * Only a sleeping loop is woken: the loop sets {@link #asleep}, then checks whether the queue is empty, then
 * sleeps. A thread adds its task, then reads {@code asleep}. The field and the
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
    private final Consumer<Throwable> failures;

    /** The thread that runs the loop; null before it starts, and when it has ended. */
    volatile Thread thread;

    /** Whether the loop sleeps, or is about to check whether it may. */
    volatile boolean asleep;

    /** Whether no more tasks are taken. Any thread may read it. */
    volatile boolean ended;

    /** Makes the queue of the loop that the selector wakes; what tasks throw goes to {@code failures}. */
    TaskQueue(Selector selector, Consumer<Throwable> failures) {
        this.selector = selector;
        this.failures = failures;
    }

    boolean isLoopThread() { return Thread.currentThread() == thread; }

    /**
     * Adds a task for the loop's thread; returns false if it will never run, because the loop has ended. Any
     * thread may call it.
     */
    boolean add(Runnable task) {
        tasks.add(task);
        wake();
        // the loop sets this before it empties the queue for the last time, so a task either runs or is
        // removed
        return !ended || !tasks.remove(task);
    }

    /** Wakes the loop if it sleeps; a loop that is awake will see the change anyway. */
    void wake() {
        if (asleep) selector.wakeup();
    }

    boolean isEmpty() { return tasks.isEmpty(); }

    /** Returns the tasks that have not run yet. Any thread may call it. */
    Stream<Runnable> present() { return tasks.stream(); }

    /** Runs the present tasks, at most so many; tasks that they add run after a look at the sockets. */
    void runPresent(int most) {
        if (!marked && !isEmpty()) marked = tasks.add(END);
        run(most);
    }

    /** Runs tasks up to the mark or the end, at most so many. */
    void run(int most) {
        for (int i = 0; i < most; i++) {
            Runnable task = tasks.poll();
            if (task == END) marked = false;
            if (task == null || task == END) return;
            try {
                task.run();
            } catch (Throwable t) {
                failures.accept(t);
            }
        }
    }

    /** Takes no more tasks, and runs the present ones. */
    @Override
    public void close() {
        ended = true;
        while (!isEmpty()) {
            run(Integer.MAX_VALUE);
        }
    }
}
