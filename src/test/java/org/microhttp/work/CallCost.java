package org.microhttp.work;

import java.util.*;
import javax.lang.model.element.ExecutableElement;

/** What is counted of a call of the JDK. */
enum CallCost {

    /** All that it is given and returns: an unknown method is counted too high, never too low. */
    ALL,

    /** What it returns: it goes over no more. */
    RESULT("Arrays.copyOf/2", "Arrays.copyOfRange/3", "String.<init>/4", "String.substring/1",
            "String.substring/2"),

    /** Its last argument, which says how much it goes over. */
    LAST("System.arraycopy/5", "ByteBuffer.get/3", "ByteBuffer.put/3"),

    /** Each look at a character. */
    LOOKED("Pattern.matcher/1"),

    /** Nothing: it takes the same time whatever it is given. */
    NOTHING("Map.computeIfAbsent/2", "String.charAt/1", "String.length/0", "String.isEmpty/0",
            "Buffer.remaining/0", "Buffer.hasRemaining/0", "Buffer.limit/0", "Buffer.position/0",
            "ByteBuffer.wrap/3", "ByteBuffer.slice/0", "ByteBuffer.slice/2", "ByteBuffer.limit/1",
            "ByteBuffer.position/1", "ByteBuffer.rewind/0", "ByteBuffer.get/0", "ByteBuffer.get/1",
            "ByteBuffer.getChar/0", "ByteBuffer.getChar/1", "ByteBuffer.getInt/1",
            "ByteBuffer.putInt/2", "VarHandle.get/1", "ArrayList.add/1");

    private final List<String> calls;

    /** By class, name and number of parameters. */
    CallCost(String... calls) {
        this.calls = List.of(calls);
    }

    static CallCost of(ExecutableElement method) {
        String type = method.getEnclosingElement().getSimpleName().toString();
        String key = type + "." + method.getSimpleName() + "/" + method.getParameters().size();
        return Arrays.stream(values()).filter(cost -> cost.calls.contains(key)).findFirst().orElse(ALL);
    }
}
