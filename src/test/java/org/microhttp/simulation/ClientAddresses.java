package org.microhttp.simulation;

import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.microhttp.Inside;
import org.microhttp.Request;
import org.microhttp.simulation.network.Peer;
import org.microhttp.simulation.network.SimulatedKey;

/**
 * Whose an address is: where a client connects from, or what is told of it. At a Unix domain socket clients
 * have no address: there the connection says whose a request is.
 */
final class ClientAddresses {

    private final World world;
    private final Map<SocketAddress, SimulatedConnection> byAddress = new HashMap<>();
    private final Map<String, SimulatedConnection> byText = new HashMap<>();

    ClientAddresses(World world) {
        this.world = world;
    }

    void add(SimulatedConnection life) {
        byAddress.put(life.address(), life);
        byAddress.put(life.client(), life);
        byText.put(life.address().toString(), life);
    }

    /** Whose request a program is called with; null for nobody's. */
    SimulatedConnection asking(Request request) {
        if (!world.conditions.door().unix()) return byAddress.get(request.remoteAddress());
        Peer peer = ((SimulatedKey) Inside.handling(world.server.loops, request)).peer();
        return peer instanceof SimulatedConnection life ? life : null;
    }

    /** Who was just accepted, and connects from where the log says; null for nobody. */
    SimulatedConnection accepted(String text) {
        if (!world.conditions.door().unix()) return byText.get(text);
        return text.isEmpty() ? world.ledger.arrivals.latest : null;
    }
}
