package org.microhttp.simulation;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.microhttp.Inside;
import org.microhttp.simulation.network.SimulatedKey;

/**
 * Whose an address is: where a client connects from, or what is told of it. At a Unix domain socket clients
 * have no address: there the connection says whose a request is.
 */
final class Callers {

    private final World world;
    private final Map<SocketAddress, Life> byAddress = new HashMap<>();
    private final Map<String, Life> byText = new HashMap<>();

    Callers(World world) {
        this.world = world;
    }

    void add(Life life) {
        byAddress.put(life.address(), life);
        byAddress.put(life.client(), life);
        byText.put(life.address().toString(), life);
    }

    /** Whose request the handler is called with, from that address; null for nobody's. */
    Life asking(SocketAddress address) {
        if (!world.conditions.door().unix()) return byAddress.get(address);
        return ((SimulatedKey) Inside.handling(world.server.loops)).peer() instanceof Life life ? life : null;
    }

    /** Who was just accepted, and connects from where the log says; null for nobody. */
    Life accepted(String text) {
        if (!world.conditions.door().unix()) return byText.get(text);
        return text.isEmpty() ? world.ledger.arrivals.latest : null;
    }
}
