package org.microhttp;

import java.util.Arrays;

/** What an object keeps to itself, for tests to which no client could show enough. */
final class Inside {

    private Inside() {
    }

    /** The value of the object's one field of this type. */
    static <T> T of(Object owner, Class<T> type) throws ReflectiveOperationException {
        var field = Arrays.stream(owner.getClass().getDeclaredFields())
                .filter(f -> f.getType() == type).findFirst().orElseThrow();
        field.setAccessible(true);
        return type.cast(field.get(owner));
    }
}
