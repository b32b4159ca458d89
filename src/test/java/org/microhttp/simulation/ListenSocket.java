package org.microhttp.simulation;

import java.io.IOException;
import java.net.*;
import java.nio.file.Files;
import java.nio.file.Path;
import org.microhttp.Options;
import org.microhttp.simulation.network.SimulatedListener;

/**
 * Where the server of a world listens, if that is no port of its own. The file of a Unix domain socket is a
 * real one, in a folder of its own: who has bound the socket must remove it, and nobody else.
 */
final class ListenSocket {

    private final World world;
    private final ListenConditions door;
    private Path folder, file;

    ListenSocket(World world) {
        this.world = world;
        door = world.conditions.door();
    }

    /** Makes what is there before the server is, which listens by what is returned. */
    Options open(Options options) throws IOException {
        if (door.unix()) {
            folder = Files.createTempDirectory("simulated");
            file = folder.resolve("socket");
        }
        if (door.inherited()) {
            SocketAddress address = door.unix() ? UnixDomainSocketAddress.of(file)
                    : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            world.machine.inherit(address, world.conditions.queue());
        }
        return options.withUnixSocket(file).withListener(world.machine.inherited());
    }

    /** All loops sleep. */
    void checkRest() {
        SimulatedListener inherited = world.machine.inherited();
        // where it fails to leave it lets go of all
        boolean closed = inherited != null && !inherited.isOpen() && !world.turns.ended
                && world.conditions.network().faults() == 0;
        world.brokenIf(closed, "has closed the socket that it has inherited");
        world.brokenIf(file != null && !world.leaving && !world.turns.ended && !Files.exists(file),
                "nobody finds its socket");
    }

    /** The server has ended. */
    void checkEnd() {
        if (file == null || Files.exists(file) == door.inherited()) return;
        world.broken(door.inherited() ? "has removed the socket of another" : "has left its socket");
    }

    /** Removes what was made, and is left when something broke. */
    void remove() throws IOException {
        if (folder == null) return;
        Files.deleteIfExists(file);
        Files.delete(folder);
    }
}
