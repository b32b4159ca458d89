package org.microhttp.testing;

import java.lang.ref.Reference;
import java.lang.reflect.*;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.*;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * What can be reached from an object: by the fields of the project's own classes and of lambdas, the elements
 * of arrays, collections, maps and atomic references, and what is attached to a selection key. Of the JDK's
 * other classes the fields are closed, so nothing is looked for behind a thread; nor behind a selector, a
 * weak reference, a handler or a logger, which are the program's own.
 */
public final class ObjectGraph {

    /** How an object was found. */
    private record Step(Object object, String name, Step before) {

        String path() {
            return before == null ? name : before.path() + name;
        }
    }

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Step> ahead = new ArrayDeque<>();
    private final Predicate<Object> open;

    private ObjectGraph(Predicate<Object> open) {
        this.open = open;
    }

    /**
     * The shortest path to an object other than the first that is wanted, by the names of fields and the
     * class at its end; null if there is none.
     *
     * @param open what to look into
     */
    public static String path(Object from, Predicate<Object> open, Predicate<Object> wanted) {
        var graph = new ObjectGraph(open);
        graph.add(from, from.getClass().getSimpleName(), null);
        while (!graph.ahead.isEmpty()) {
            Step step = graph.ahead.remove();
            if (step.object != from && wanted.test(step.object)) {
                return step.path() + " (" + step.object.getClass().getSimpleName() + ")";
            }
            graph.expand(step);
        }
        return null;
    }

    /** Whatever can be reached, the first included. */
    public static Collection<Object> all(Object from, Predicate<Object> open) {
        var graph = new ObjectGraph(open);
        graph.add(from, "", null);
        while (!graph.ahead.isEmpty()) {
            graph.expand(graph.ahead.remove());
        }
        return graph.seen;
    }

    private void add(Object object, String name, Step before) {
        if (object != null && seen.add(object)) ahead.add(new Step(object, name, before));
    }

    private void expand(Step step) {
        Object object = step.object;
        if (object instanceof Reference || object instanceof Class || object instanceof Selector) return;
        if (!open.test(object)) return;
        if (object instanceof Object[] array) {
            addAll(Arrays.asList(array), step);
        } else if (object instanceof Map<?, ?> map) {
            addAll(map.keySet(), step);
            addAll(map.values(), step);
        } else if (object instanceof Collection<?> collection) {
            addAll(collection, step);
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get(), ".get()", step);
        } else if (object instanceof SelectionKey key) {
            add(key.attachment(), ".attachment()", step);
        }
        Class<?> type = object.getClass();
        while (type != null && !isClosed(type)) {
            addFields(type, step);
            type = type.getSuperclass();
        }
    }

    private static boolean isClosed(Class<?> type) {
        return type.getModule().isNamed();
    }

    private void addAll(Collection<?> elements, Step step) {
        for (Object element : elements) {
            add(element, "[]", step);
        }
    }

    private void addFields(Class<?> type, Step step) {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) continue;
            field.setAccessible(true);
            try {
                add(field.get(step.object), "." + field.getName(), step);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
