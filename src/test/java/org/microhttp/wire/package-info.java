/**
 * A server on a loopback port, as its clients see it. {@code WireTest} plays the vectors of wire.txt, whose
 * head explains the notation: {@code WireVector} reads them, {@code WirePlay} plays one with a server of its
 * own, {@code WireHandler} answers. The other tests have what no vector can say: several clients, slow
 * readers, handlers with threads of their own, large bodies. Events of the log are awaited, never times.
 */
package org.microhttp.wire;
