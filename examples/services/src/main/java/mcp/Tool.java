package mcp;

import java.util.*;

/** A tool, whose arguments are integers from 0 to a limit: what clients see of it, and what it does. */
record Tool(String description, Map<String, Long> limits, Work work) {

    /** Takes time if it must, reports progress once a minute, and returns the result, or throws why not. */
    interface Work { Object of(Map<String, Long> arguments, Call call) throws Exception; }

    /** {@return the tool as it is listed, with a JSON Schema of its arguments} */
    Map<String, Object> listed(String name) {
        var types = new TreeMap<String, Object>();
        limits.forEach((key, max) -> types.put(key, Map.of("type", "integer", "minimum", 0, "maximum", max)));
        return Map.of("name", name, "description", description, "inputSchema", Map.of("type", "object",
                "properties", types, "required", List.copyOf(types.keySet()), "additionalProperties", false));
    }

    /** @throws IllegalArgumentException if the arguments are not as the schema says; 1.0 is an integer */
    Object call(Map<?, ?> given, Call call) throws Exception {
        var arguments = new TreeMap<String, Long>();
        limits.forEach((key, max) -> {
            if (given.get(key) instanceof Number number && number.doubleValue() == number.longValue()
                    && number.longValue() >= 0 && number.longValue() <= max) {
                arguments.put(key, number.longValue());
            }
        });
        if (arguments.size() < limits.size() || given.size() > limits.size()) {
            throw new IllegalArgumentException("allowed are integers from 0 to " + new TreeMap<>(limits));
        }
        return work.of(arguments, call);
    }
}
