package org.microhttp.simulation.network;

import java.io.IOException;

/** Who is told what the server does with the machine, and may have a call fail. */
public interface Witness {

    /** Asked before a call: may throw an Error, which is then what the call does. */
    default void strike(Call call, Peer peer) { }

    /** The same for a call that may also throw an IOException. */
    default void strikeOrFail(Call call, Peer peer) throws IOException { }

    /** A loop has come to its selector: its turn is over. */
    default void onTurnEnd(SimulatedSelector selector) { }

    /** All loops sleep, and nothing happens before this time; not told again until something was done. */
    default void onRest(long until) { }

    /** A loop goes on. */
    default void onTurnBegin(SimulatedSelector selector) { }

    /** A key is dispatched. */
    default void onDispatch(SimulatedKey key) { }

    /** What came of it is over. */
    default void onDispatched(SimulatedKey key) { }

    /** A client was accepted; or, with null, not for want of a descriptor. */
    default void onAccept(SimulatedListener listener, Peer peer) { }

    /** A loop has let go of its selector. */
    default void onEnd(SimulatedSelector selector) { }
}
