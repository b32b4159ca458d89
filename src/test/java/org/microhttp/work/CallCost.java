package org.microhttp.work;

import java.util.Map;
import javax.lang.model.element.ExecutableElement;

/** What of a call of the JDK is counted. */
enum CallCost {

    /** All that it is given and all that it returns: what is not known is counted too high, never too low. */
    ALL,

    /** What it returns is what it has gone over. */
    RESULT,

    /** Its last argument says how much it goes over. */
    LAST,

    /** Each character that it looks at. */
    LOOKED,

    /** Nothing: it takes the same time whatever it is given. */
    NOTHING;

    /** By class, name and number of parameters. */
    private static final Map<String, CallCost> KNOWN = Map.ofEntries(
            Map.entry("Arrays.copyOf/2", RESULT),
            Map.entry("Arrays.copyOfRange/3", RESULT),
            Map.entry("String.<init>/4", RESULT),
            Map.entry("String.substring/1", RESULT),
            Map.entry("String.substring/2", RESULT),
            Map.entry("System.arraycopy/5", LAST),
            Map.entry("ByteBuffer.get/3", LAST),
            Map.entry("ByteBuffer.put/3", LAST),
            Map.entry("Pattern.matcher/1", LOOKED),
            Map.entry("Map.computeIfAbsent/2", NOTHING),
            Map.entry("String.charAt/1", NOTHING),
            Map.entry("String.length/0", NOTHING),
            Map.entry("String.isEmpty/0", NOTHING),
            Map.entry("Buffer.remaining/0", NOTHING),
            Map.entry("Buffer.hasRemaining/0", NOTHING),
            Map.entry("Buffer.limit/0", NOTHING),
            Map.entry("Buffer.position/0", NOTHING),
            Map.entry("ByteBuffer.wrap/3", NOTHING),
            Map.entry("ByteBuffer.slice/0", NOTHING),
            Map.entry("ByteBuffer.slice/2", NOTHING),
            Map.entry("ByteBuffer.limit/1", NOTHING),
            Map.entry("ByteBuffer.position/1", NOTHING),
            Map.entry("ByteBuffer.rewind/0", NOTHING),
            Map.entry("ByteBuffer.get/0", NOTHING),
            Map.entry("ByteBuffer.get/1", NOTHING),
            Map.entry("ByteBuffer.getChar/0", NOTHING),
            Map.entry("ByteBuffer.getChar/1", NOTHING),
            Map.entry("ByteBuffer.getInt/1", NOTHING),
            Map.entry("ByteBuffer.putInt/2", NOTHING),
            Map.entry("VarHandle.get/1", NOTHING),
            Map.entry("ArrayList.add/1", NOTHING));

    static CallCost of(ExecutableElement method) {
        String type = method.getEnclosingElement().getSimpleName().toString();
        String key = type + "." + method.getSimpleName() + "/" + method.getParameters().size();
        return KNOWN.getOrDefault(key, ALL);
    }
}
