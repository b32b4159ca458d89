package org.microhttp.versions;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * The thread of one version's event loop, which serves requests in memory when it is asked to, and says what
 * that took of its CPU time. In between it waits in a select, and takes none.
 */
final class Version extends Thread {

    /** All of them have sent something whenever the loop looks, as those of a server that is busy. */
    private static final int CLIENTS = 16;

    /** Turns without any progress, of which an answer by a task takes one. */
    private static final int MAX_IDLE_TURNS = 1_000;

    /** How often it is looked whether a version has failed. */
    private static final int LOOK_MILLIS = 100;

    /** Shared by all versions, so that none is faster by where its own happens to be in the caches. */
    private static final ByteBuffer SINK = MemoryChannel.sink();
    private static final String SERVER = MeasuredServer.class.getName();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What so many requests of a shape took. */
    record Sample(long nanos, long bytes) { }

    private record Work(Shape shape, int requests) { }

    final MemoryPort port;
    private final MemoryChannel[] clients =
            IntStream.range(0, CLIENTS).mapToObj(i -> new MemoryChannel(SINK))
                    .toArray(MemoryChannel[]::new);

    /** How much each will have been sent when all is answered; unknown before the first answer. */
    private final long[] expected = new long[CLIENTS];
    private final Path classes;

    /** What this thread is to do, and what it has done; why it does nothing any more. */
    private final SynchronousQueue<Work> work = new SynchronousQueue<>();
    private final SynchronousQueue<Sample> done = new SynchronousQueue<>();
    private volatile String failure;

    /** Answers that are given in a turn after that of their request. */
    private final Queue<Runnable> answers = new ArrayDeque<>();
    private boolean later;
    private Work current;
    private int answerBytes, unsent, next, idleTurns;
    private long nanosBefore, bytesBefore;

    Version(Path classes) {
        this.classes = classes;
        port = new MemoryPort(clients);
        setDaemon(true);
    }

    /** A version is loaded from its own place alone, and the measured server for each once more. */
    private static final class Loader extends URLClassLoader {

        Loader(Path classes) throws IOException {
            super(new URL[] {classes.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (!name.equals(SERVER)) return super.findClass(name);
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = Version.class.getClassLoader().getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Override
    public void run() {
        try {
            BooleanSupplier isLater = () -> later;
            Class<?> server = new Loader(classes).loadClass(SERVER);
            ((Runnable) server.getConstructor(BooleanSupplier.class, Queue.class)
                    .newInstance(isLater, answers)).run();
            throw new IllegalStateException("the event loop has ended");
        } catch (Throwable t) {
            Throwable cause = t instanceof InvocationTargetException ? t.getCause() : t;
            if (failure == null) failure = cause.toString();
        }
    }

    /** {@return what so many requests of a shape took}; the version serves them, and waits again. */
    Sample serve(Shape shape, int requests) throws IOException, InterruptedException {
        Work asked = new Work(shape, requests);
        while (!work.offer(asked, LOOK_MILLIS, TimeUnit.MILLISECONDS)) check();
        Sample sample = null;
        while (sample == null) {
            sample = done.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (sample == null) check();
        }
        return sample;
    }

    private void check() throws IOException {
        if (failure != null) throw new IOException(classes + " cannot be measured: " + failure);
    }

    /** In the version's select: gives answers that are due, and has clients send what comes next. */
    void beginTurn() {
        if (current == null) begin();
        if (answerBytes == 0) {
            learn();
            return;
        }
        while (!answers.isEmpty()) {
            answers.remove().run();
        }
        boolean allAnswered = sendAll();
        idleTurns = allAnswered ? 0 : idleTurns + 1;
        if (idleTurns == MAX_IDLE_TURNS) fail("a client waits for an answer in vain");
        if (allAnswered && unsent <= 0) {
            end();
            begin();
            sendAll();
        }
    }

    /** The first answer says how long all are, so that it is seen when each of them is whole. */
    private void learn() {
        if (idleTurns == 0) clients[0].send(Shape.HELLO.sent[0]);
        idleTurns++;
        if (idleTurns == MAX_IDLE_TURNS) fail("there is no answer");
        answerBytes = (int) clients[0].written();
        expected[0] = answerBytes;
    }

    /** Sends for each client whose last request was answered, as long as there is something to send. */
    private boolean sendAll() {
        boolean allAnswered = true;
        for (int i = 0; i < CLIENTS; i++) {
            if (clients[i].written() != expected[i]) {
                allAnswered = false;
            } else if (unsent > 0) {
                ByteBuffer[] sent = current.shape.sent;
                if (next >= sent.length) next = 0;
                clients[i].send(sent[next]);
                next++;
                unsent -= current.shape.batch;
                expected[i] += (long) current.shape.batch * answerBytes;
            }
        }
        return allAnswered;
    }

    private void begin() {
        try {
            current = work.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        later = current.shape == Shape.ASYNC;
        unsent = current.requests;
        bytesBefore = THREADS.getThreadAllocatedBytes(getId());
        nanosBefore = THREADS.getCurrentThreadCpuTime();
    }

    private void end() {
        long nanos = THREADS.getCurrentThreadCpuTime() - nanosBefore;
        long bytes = THREADS.getThreadAllocatedBytes(getId()) - bytesBefore;
        String answer = clients[0].lastWritten().lines().findFirst().orElse("");
        if (!answer.equals("HTTP/1.1 200 OK")) fail("a wrong answer: " + answer);
        try {
            done.put(new Sample(nanos, bytes));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fail(String why) {
        failure = why;
        // which ends the loop at once
        throw new ClosedSelectorException();
    }
}
