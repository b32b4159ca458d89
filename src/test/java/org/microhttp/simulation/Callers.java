package org.microhttp.simulation;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;

/** Whose an address is: where a client connects from, or what is told of it. */
final class Callers {

    private final Map<SocketAddress, Life> byAddress = new HashMap<>();
    private final Map<String, Life> byText = new HashMap<>();

    void add(Life life) {
        byAddress.put(life.address(), life);
        byAddress.put(life.client(), life);
        byText.put(life.address().toString(), life);
    }

    /** Null for nobody's. */
    Life at(SocketAddress address) {
        return byAddress.get(address);
    }

    /** Who connects from where the log says; null for nobody. */
    Life at(String text) {
        return byText.get(text);
    }
}
