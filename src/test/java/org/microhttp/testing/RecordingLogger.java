package org.microhttp.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.microhttp.LogEntry;
import org.microhttp.Logger;

/** Keeps every event, and lets a test wait for one by its name. Safe for use by several threads. */
public class RecordingLogger implements Logger {

    /** What was logged: its name, its other entries in order, and its cause or null. */
    public record Event(String name, Map<String, String> values, Throwable cause) {

        public String value(String key) {
            return values.get(key);
        }
    }

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Called with the name of each event when it is kept, on the thread that logs it: the loop's, mostly. */
    public volatile Consumer<String> hook = name -> { };

    private final List<Event> all = new ArrayList<>();
    private final Map<String, List<Event>> byName = new HashMap<>();

    private Predicate<String> wanted = name -> true;

    /** Wants no event but this one. */
    public static RecordingLogger of(String name) {
        var logger = new RecordingLogger();
        logger.wanted = name::equals;
        return logger;
    }

    @Override
    public boolean enabled(String event) {
        return wanted.test(event);
    }

    @Override
    public void log(Exception cause, LogEntry... entries) {
        log((Throwable) cause, entries);
    }

    @Override
    public void log(Throwable cause, LogEntry... entries) {
        BrokenAssertions.check(cause);
        var values = new LinkedHashMap<String, String>();
        for (LogEntry entry : entries) {
            values.put(entry.key(), entry.value());
        }
        var event = new Event(values.remove("event"), values, cause);
        add(event);
        hook.accept(event.name());
    }

    private synchronized void add(Event event) {
        all.add(event);
        byName.computeIfAbsent(event.name(), name -> new ArrayList<>()).add(event);
        notifyAll();
    }

    /** The first event of that name, when it has come. */
    public Event await(String name) {
        return await(name, 1);
    }

    /** The event of that name and ordinal number, when it has come. */
    public synchronized Event await(String name, int number) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (count(name) < number) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                fail("event " + name + " number " + number + " did not come, but " + tail());
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return byName.get(name).get(number - 1);
    }

    public synchronized int count(String name) {
        return byName.getOrDefault(name, List.of()).size();
    }

    public synchronized List<Event> events() {
        return List.copyOf(all);
    }

    /** The names of what happened to a connection, in order; what came in and went out is left out. */
    public synchronized List<String> story(long id) {
        return all.stream().filter(e -> ("" + id).equals(e.value("id"))).map(Event::name)
                .filter(name -> !name.equals("read_bytes") && !name.equals("write")).toList();
    }

    private List<Event> tail() {
        return all.subList(Math.max(0, all.size() - 20), all.size());
    }
}
